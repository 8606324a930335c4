"""The page's side of an animation: another run, from its settings; JSON in, JSON out."""

import json

from tunables.base.arguments import choice
from tunables.page.explorer import load_function
from tunables.page.requests import entries, reply_to


class AnimationSession:
    """One animation in the page: its description; JSON in, JSON out.

    Its "module" is "module:function": the run, which takes what is "given" and the settings.
    """

    def __init__(self, description_json):
        description = json.loads(description_json)
        self.play = load_function(description["module"])
        self.given = description.get("given", {})
        self.names = [each["name"] for each in description["settings"]]
        if "deeds" in description:
            self.names.append("deeds")

    def reply(self, request_json) -> str:
        """Return {"trace": the run} of {"play": {"settings": {...}}} as JSON, or a refusal.

        With other settings in "against" there is a second run under that name.
        """
        return reply_to(request_json, self._replay)

    def _replay(self, request):
        play = entries("play", entries("request", request, ["play"])["play"], ["settings"])
        reply = {"trace": self._run(play["settings"])}
        if play.get("against"):
            reply["against"] = self._run(play["against"])
        return reply

    def _run(self, settings):
        for name in entries("settings", settings, self.names):
            choice("setting", name, self.names)
        arguments = dict(self.given)
        arguments.update(settings)
        return self.play(**arguments)
