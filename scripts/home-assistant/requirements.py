"""
Prints what a small configuration of the installed Home Assistant needs: the requirements in the manifests of what it always loads, of
what the tests load, and of what these depend on. Its own installer is not used, because it does not read the configuration of pip.
"""

import ast
import json
from importlib.util import find_spec
from pathlib import Path

from homeassistant.const import Platform

ALWAYS = {"CORE_INTEGRATIONS", "DEFAULT_INTEGRATIONS", "FRONTEND_INTEGRATIONS", "LOGGING_AND_HTTP_DEPS_INTEGRATIONS"}
IN_TESTS = {"api", "config", "energy", "history", "homewizard", "mqtt", "prometheus", "recorder", "rest"}
NEVER = {"debugpy", "sentry"}

folder = Path(find_spec("homeassistant").origin).parent
bootstrap = ast.parse((folder / "bootstrap.py").read_text())
domains = {platform.value for platform in Platform} | IN_TESTS
for node in bootstrap.body:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in ALWAYS:
        domains |= {value.value for value in ast.walk(node) if isinstance(value, ast.Constant) and isinstance(value.value, str)}

requirements = set()
waiting = sorted(domains - NEVER)
seen = set(waiting)
while waiting:
    domain = waiting.pop()
    manifest = folder / "components" / domain / "manifest.json"
    if not manifest.exists():
        continue
    content = json.loads(manifest.read_text())
    requirements |= set(content.get("requirements", []))
    # Python imports these too, even where they are not set up.
    more = {*content.get("dependencies", []), *content.get("after_dependencies", [])} - seen - NEVER
    seen |= more
    waiting += sorted(more)

print("\n".join(sorted(requirements)))
