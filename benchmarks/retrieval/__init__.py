"""How well chunks are found: documents and questions with gold spans → chunk → embed → rank → score.

    python -m benchmarks.retrieval --sizes 256,512,1000,2000 --split test
    python -m benchmarks.retrieval --docs PATH --questions FILE
    python -m benchmarks.retrieval.sweep

Needs benchmarks/requirements.txt, except for what is tested with everything else and imports neither numpy nor a model:
corpus, locate, scores, results, report and constants.  docs/retrieval.md explains the rules and shows the results.
"""
