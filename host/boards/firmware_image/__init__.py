"""The light firmware's image for `allfronts flash`: an Intel HEX file and the manifest with its hash and version.

Made by firmware/tools/ship_image.py; a test builds it again and compares.
"""
