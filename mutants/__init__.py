"""Small wrong changes of the code, one at a time: does a test notice each?"""
