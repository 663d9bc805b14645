"""How well chunks are found: documents and questions with gold spans → chunk → embed → rank → score.

    python -m benchmarks.retrieval --sizes 256,512,1000,2000 --split test
    python -m benchmarks.retrieval --docs PATH --questions FILE

Needs benchmarks/requirements.txt.  corpus.py, locate.py and scores.py need the standard library only, so that they
are tested with everything else.  docs/retrieval.md explains the rules and shows the results.
"""
