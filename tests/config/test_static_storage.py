"""Where static files have a digest in their name, scripts still find each other."""

import re
import shutil

from config.static_storage import ModuleStaticFilesStorage
from tools.paths import ROOT

IMPORTS = re.compile(r"""(?:from |import |new URL\()"(\.[^"]+)\"""")


def test_every_module_and_worker_is_addressed_by_the_name_that_is_kept(tmp_path, settings):
    settings.WHITENOISE_KEEP_ONLY_HASHED_FILES = True
    shutil.copytree(ROOT / "static", tmp_path, dirs_exist_ok=True)
    storage = ModuleStaticFilesStorage(location=str(tmp_path), base_url="/static/")
    names = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert not [
        result
        for _name, _hashed, result in storage.post_process(
            {name: (storage, name) for name in names}
        )
        if isinstance(result, Exception)
    ]
    scripts = list(tmp_path.rglob("*.js"))
    addressed = [
        script.parent / path for script in scripts for path in IMPORTS.findall(script.read_text())
    ]
    assert len(addressed) > len(scripts)
    assert not [path for path in addressed if not path.exists()]
