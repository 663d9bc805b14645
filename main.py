"""The entry point that Dify starts: `python -m main`."""

import os

# The SDK reads this when it is imported.  Its own default of 5 seconds is short for a file on slow storage.
os.environ.setdefault("HTTPX_TIMEOUT", "30")

from dify_plugin import DifyPluginEnv, Plugin

plugin = Plugin(DifyPluginEnv())

if __name__ == "__main__":
    plugin.run()
