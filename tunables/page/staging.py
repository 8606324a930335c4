"""The page's side of a stage: another run, from its settings; JSON in, JSON out."""

import json

from tunables.page.explorer import named


class Page:
    """One stage in the page: its description; JSON in, JSON out.

    Its "module" is that of the run, whose function `play` takes what is "given" and the settings.
    """

    def __init__(self, description_json):
        description = json.loads(description_json)
        self.play = named(description["module"], "play")
        self.given = description.get("given", {})

    def reply(self, request_json) -> str:
        """Return {"trace": the run} of {"play": {"settings": {...}}} as JSON, or a refusal.

        With other settings in "against" there is a second run under that name.
        """
        play = json.loads(request_json)["play"]
        try:
            reply = {"trace": self._run(play["settings"])}
            if play.get("against"):
                reply["against"] = self._run(play["against"])
        except ValueError as error:
            reply = {"refusal": str(error)}
        return json.dumps(reply)

    def _run(self, settings):
        arguments = dict(self.given)
        arguments.update(settings)
        return self.play(**arguments)
