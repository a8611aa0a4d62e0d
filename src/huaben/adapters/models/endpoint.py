"""The model port over an HTTP endpoint of any dialect; apart because it alone does I/O here.

We post our own bytes and read the stream ourselves: exact bytes and tolerance are what the project
stands on, and client libraries change the one and lack the other (docs/decisions).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

import httpx

from huaben.adapters.models.dialect import Dialect
from huaben.adapters.models.exchange import Exchange, Refused
from huaben.adapters.models.redact import Redactor
from huaben.adapters.models.refusals import refusal_of
from huaben.adapters.models.retry import asked_wait, wait_before_retry
from huaben.adapters.models.settling import settled, told
from huaben.domain.connection import Connection
from huaben.domain.messages import ModelEvent, ModelRequest, Retrying, WireRequest
from huaben.errors import BadInput, ProviderFailed
from huaben.ports import Clock


def open_client(max_streams: int = 400) -> httpx.AsyncClient:
    """The one client that all connections share. Proxies and keys of the environment are not
    looked at: what is sent where follows from the connection alone."""
    limits = httpx.Limits(
        max_connections=max_streams,
        # Busy connections count against this limit too: a lower one would close every idle one.
        max_keepalive_connections=max_streams,
        keepalive_expiry=60.0,
    )
    return httpx.AsyncClient(limits=limits, trust_env=False, timeout=None)


class Endpoint:
    """One connection behind the `Model` port, in the given dialect.

    Raises `BadInput` for an address or header that cannot be sent. When a provider refuses how a
    request is put (roles, thought, a sampler), `stream` raises `ProviderFailed` with the code
    `reshaped`: the same `ModelRequest` encoded again will be put differently, and `connection`
    says how. Close the generator of `stream` to hang up."""

    def __init__(
        self,
        connection: Connection,
        dialect: Dialect,
        *,
        client: httpx.AsyncClient,
        clock: Clock,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.connection = connection
        self._dialect = dialect
        self._client = client
        self._clock = clock
        self._jitter = jitter
        self._url = address(connection, dialect.path)
        self._headers = headers_of(connection, dialect)
        self._redact = Redactor(connection)

    @property
    def name(self) -> str:
        return self.connection.name

    @property
    def window(self) -> int | None:
        return self.connection.window

    @property
    def origin(self) -> str:
        return self.connection.origin

    @property
    def calls_tools(self) -> bool:
        return self.connection.tools != "none"

    def encode(self, request: ModelRequest) -> WireRequest:
        wire = self._dialect.encode(settled(request, self.connection), self.connection)
        return told(request, wire, self.connection)

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        """The pieces of one reply, `Finished` last. Tries again only before the first piece."""
        asked_through = self.connection
        started = asyncio.get_running_loop().time()
        deadline = started + asked_through.timeouts.total_s
        attempt = 0
        while True:
            attempt += 1
            listener = self._dialect.listener(asked_through)
            request = self._request(wire)
            exchange = Exchange(self._client, request, asked_through, listener, deadline)
            try:
                async with aclosing(exchange.events()) as events:
                    async for event in events:
                        yield event
                return
            except Refused as refused:
                failure = self._failure(refused, asked_through)
            except httpx.HTTPError as error:
                failure = self._transport_failure(error, answered=exchange.answered)
            except ProviderFailed as error:
                failure = error
            wait_s = None if exchange.began else self._wait(failure, attempt, deadline)
            if wait_s is None:
                raise failure from None  # what lies beneath holds the request with its key
            yield Retrying(attempt, wait_s, failure.message)
            await self._clock.sleep(wait_s)

    async def listing(self, timeout_s: float) -> object:
        """What the endpoint answers when asked for its models: any JSON. Raises `ProviderFailed`."""
        try:
            response = await self._asked_for_models(timeout_s)
        except httpx.HTTPError as error:
            raise self._transport_failure(error, answered=False) from None
        if not response.is_success:
            refused = Refused(refusal_of(response.status_code, response.text), response.headers)
            raise self._failure(refused, self.connection)
        try:
            value: object = response.json()
        except (ValueError, RecursionError):
            raise ProviderFailed(
                "not_an_endpoint", f"{self.name} did not answer with a list of models"
            ) from None
        return value

    async def _asked_for_models(self, timeout_s: float) -> httpx.Response:
        place = self._url.path.removesuffix(self._dialect.path) + self._dialect.models
        url = self._url.copy_with(path=place)
        headers = {**self._headers, "accept": "application/json"}
        try:
            return await self._client.get(url, headers=headers, timeout=timeout_s)
        except httpx.RemoteProtocolError:
            # The server had closed a connection that was kept for it; a new one will do.
            return await self._client.get(url, headers=headers, timeout=timeout_s)

    def _request(self, wire: WireRequest) -> httpx.Request:
        timeouts = self.connection.timeouts
        timeout = httpx.Timeout(timeouts.connect_s, read=None, write=timeouts.idle_s)
        return self._client.build_request(
            "POST", self._url, content=wire.body, headers=self._headers, timeout=timeout
        )

    def _wait(self, failure: ProviderFailed, attempt: int, deadline: float) -> float | None:
        if attempt > self.connection.retries or failure.code == "reshaped":
            return None
        wait_s = wait_before_retry(failure, attempt, self._jitter())
        late = wait_s is None or asyncio.get_running_loop().time() + wait_s >= deadline
        return None if late else wait_s

    def _failure(self, refused: Refused, asked_through: Connection) -> ProviderFailed:
        refusal, headers = refused.refusal, refused.headers
        other = self._dialect.adapted(refusal, asked_through)
        if other is not None:
            if self.connection is asked_through:
                self.connection = other
            code, retryable = "reshaped", True
            hint = "The same request is put differently next time."
        else:
            code, retryable, hint = refusal.code, refusal.retryable, refusal.hint
        said = self._redact.excerpt(refusal.text) or "nothing"
        answered = "reported an error" if refusal.status is None else f"answered {refusal.status}"
        return ProviderFailed(
            code,
            f"{self.name} {answered}: {said}",
            hint,
            http_status=refusal.status,
            retryable=retryable,
            retry_after_s=asked_wait(headers, self._clock.now()),
        )

    def _transport_failure(self, error: httpx.HTTPError, *, answered: bool) -> ProviderFailed:
        said = self._redact.excerpt(str(error)) or type(error).__name__
        if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
            seconds = self.connection.timeouts.connect_s
            code, message = "connect_timeout", f"no connection to {self.name} within {seconds:g} s"
        elif isinstance(error, httpx.DecodingError):
            code, message = "bad_stream", f"{self.name} sent what cannot be unpacked: {said}"
        elif isinstance(error, httpx.UnsupportedProtocol | httpx.LocalProtocolError):
            return ProviderFailed("bad_address", f"{self.name} cannot be asked: {said}")
        elif answered:
            code, message = "cut_stream", f"the connection to {self.name} broke: {said}"
        else:
            code, message = "connection_failed", f"{self.name} cannot be reached: {said}"
        return ProviderFailed(code, message, retryable=True)


# ---- address and headers -------------------------------------------------------------------------


def address(connection: Connection, path: str) -> httpx.URL:
    """Where requests go: the connection's address, ending in `path` however much of it was given.
    Raises `BadInput` for what is no address."""
    try:
        url = httpx.URL(connection.base_url)
    except (httpx.InvalidURL, ValueError):
        raise BadInput(
            "bad_address", f"the address of connection {connection.name} is none"
        ) from None
    if url.scheme not in ("http", "https") or not url.host:
        raise BadInput(
            "bad_address",
            f"the address of connection {connection.name} is not one of http or https",
        )
    base, whole = url.path.rstrip("/"), path.split("/")
    # What was pasted may hold the path already, or its beginning.
    for given in range(len(whole) - 1, 0, -1):
        beginning = "/" + "/".join(whole[1 : given + 1])
        if base.endswith(beginning):
            base = base.removesuffix(beginning)
            break
    return url.copy_with(path=base + path)


def headers_of(connection: Connection, dialect: Dialect) -> dict[str, str]:
    """The headers of a request. Raises `BadInput` for a key or header that cannot be sent."""
    headers = {
        "content-type": "application/json",
        "accept": "text/event-stream, application/json",
        "accept-encoding": "identity",
        **dialect.headers(connection),
        **{name.lower(): value for name, value in connection.headers.items()},
    }
    for name, value in headers.items():
        if not (name + value).isascii() or not (name + value).isprintable():
            raise BadInput(
                "bad_header",
                f"connection {connection.name}: its key or a header holds characters that "
                "cannot be sent",
                "Paste the key again, without quotes or line breaks.",
            )
    return headers
