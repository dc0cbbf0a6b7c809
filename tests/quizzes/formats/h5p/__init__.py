"""Packages of H5P."""
