"""The models of a planning job, each call recorded like any other and never paid twice; apart from the job
because a job knows of no store (`planner.md` §5)."""

from __future__ import annotations

from dataclasses import dataclass

from huaben.domain.messages import Finished, ModelRequest, Reply, Usage, WireRequest
from huaben.domain.scenario import Scenario
from huaben.domain.story import Turn
from huaben.errors import ProviderFailed
from huaben.planner.desk import Errand, Heard
from huaben.ports import CallClosed, CallOpened, Commit, Effect, Model, Stale
from huaben.services.house import House
from huaben.services.stories import PLANNING

TOLD = "stopped before an answer"


@dataclass(slots=True)
class HouseVoices:
    """Implements `planner.desk.Voices` for one job. `calls` are numbered beside those of the reply."""

    house: House
    turn: Turn
    scenario: Scenario
    job_id: str
    calls: int = 0

    def calls_tools(self, *, escalated: bool) -> bool:
        return self.model(escalated=escalated).calls_tools

    def model(self, *, escalated: bool = False) -> Model:
        """Raises `NoConnection`."""
        models = self.scenario.models
        if escalated:
            return self.house.models.for_role("escalation", models.escalation)
        return self.house.models.for_role("planner", models.planner or models.story)

    async def call(self, errand: Errand) -> Heard:
        key = f"{self.job_id}/{errand.node}"
        known = await self._known(key)
        if known is not None:
            return known
        model = self.model(escalated=errand.escalated)
        prompt = errand.prompt
        request = ModelRequest(prompt.messages, prompt.tools, "auto", stable=prompt.stable)
        opened = self._opened(model, errand, model.encode(request))
        await self.house.store.commit(Commit(rows=(opened,)))
        try:
            reply = await _heard(model, opened.request)
        except ProviderFailed as failure:
            await self._close(
                CallClosed(opened.id, None, failure.message, Usage(), None, self._now())
            )
            raise
        except BaseException:  # cut off: the call stays on record as one without an answer
            await self._close(CallClosed(opened.id, None, TOLD, Usage(), None, self._now()))
            raise
        return await self._recorded(key, model, opened, reply)

    async def _known(self, key: str) -> Heard | None:
        """What the call came to in an earlier run."""
        effect = await self.house.store.effect(key)
        if effect is None:
            return None
        records = await self.house.store.calls(self.turn.id)
        found = next((one for one in records if one.id == effect.result["call"]), None)
        if found is None or found.reply is None:
            return None
        cost = found.cost
        micros, currency = (None, "") if cost is None else (cost.micros, cost.currency)
        return _told(found.reply, found.id, found.model, micros, currency)

    async def _recorded(self, key: str, model: Model, opened: CallOpened, reply: Reply) -> Heard:
        cost = self.house.prices.cost(model.origin, reply.usage)
        closed = CallClosed(opened.id, reply, "", reply.usage, None, self._now(), cost)
        rows = (closed, Effect(key, {"call": opened.id}))
        done = await self.house.store.commit(Commit(rows=rows))
        if isinstance(done, Stale):  # another run of the same job was first; this one was paid too
            await self._close(closed)
        micros, currency = (None, "") if cost is None else (cost.micros, cost.currency)
        return _told(reply, opened.id, opened.model, micros, currency)

    def _opened(self, model: Model, errand: Errand, wire: WireRequest) -> CallOpened:
        number, self.calls = self.calls, self.calls + 1
        return CallOpened(
            id=self.house.ids.new(),
            turn_id=self.turn.id,
            project_id=self.turn.project_id,
            user_id=self.turn.user_id,
            n=number,
            purpose=f"{PLANNING}{errand.kind}",
            model=model.name,
            request=wire,
            outline=errand.prompt.outline(),
            opened_at=self._now(),
        )

    async def _close(self, closed: CallClosed) -> None:
        await self.house.store.commit(Commit(rows=(closed,)))

    def _now(self) -> str:
        return self.house.now()


async def _heard(model: Model, request: WireRequest) -> Reply:
    async for event in model.stream(request):
        if isinstance(event, Finished):
            return event.reply
    raise ProviderFailed(
        "cut_stream", "The endpoint ended its answer without finishing it.", retryable=True
    )


def _told(reply: Reply, call: str, model: str, micros: int | None, currency: str) -> Heard:
    usage = reply.usage
    return Heard(
        text=reply.text,
        calls=reply.calls,
        model=reply.model or model,
        call=call,
        prompt=usage.prompt,
        completion=usage.completion,
        cached=usage.cached,
        cost_micros=micros,
        currency=currency,
    )
