"""The audit of a published table: what each printed number leaves the others.

`tunables.audit.tables` reads tables, `tunables.audit.verdicts` judges their cells by the laws, and
`tunables.audit.report` writes the result. All of it is plain Python that also runs in the page.
"""
