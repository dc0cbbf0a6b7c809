"""Static files under names with a digest, also where scripts import each other."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Django rewrites imports of modules only if asked to, and the address of a worker never."""

    support_js_module_import_aggregation = True
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((r"""(?P<matched>new URL\("(?P<url>[^"]+)")""", 'new URL("%(url)s"'),)),
    )
