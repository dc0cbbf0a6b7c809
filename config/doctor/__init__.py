"""Says what is wrong with a deployment: `manage.py doctor`."""
