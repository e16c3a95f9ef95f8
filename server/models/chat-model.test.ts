/** Asks a stand-in over HTTP: each way in which a model's service fails becomes a sentence, and says whether asking again helps. */
import { once } from "node:events";
import { createServer } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../lib/clock.ts";
import { failWith, inTurn, type ModelStandIn, sendCompletion, startModelStandIn } from "../testing/model-stand-in.ts";
import { createChatModel } from "./chat-model.ts";
import { ModelError } from "./model-error.ts";

let standIn: ModelStandIn;
beforeEach(async () => {
  standIn = await startModelStandIn();
});
afterEach(() => standIn.close());

const MESSAGES = [{ role: "user" as const, content: "Hello" }];
/** Returns the answer or the error, and what was reported before waits. */
async function ask({ url = standIn.url, key = standIn.key, timeoutMs = 10_000, signal = new AbortController().signal } = {}) {
  const model = createChatModel({ url, key, name: "stand-in", timeoutMs, inputCharacters: 10_000 }, systemClock);
  const retries: string[] = [];
  const result = await model.ask({ messages: MESSAGES, signal, onRetry: async (text) => void retries.push(text) }).catch((error: unknown) => error);
  return { result, retries };
}
async function failure(options: Parameters<typeof ask>[0] = {}) {
  const { result } = await ask(options);
  expect(result).toBeInstanceOf(ModelError);
  const { message, retry } = result as ModelError;
  expect(message).not.toContain("sk-");
  return [message, retry?.afterMs ?? null];
}

test("a question is answered, by the model and with the key that are configured", async () => {
  standIn.answer(() => " The bass is too loud.\n");
  expect((await ask()).result).toEqual({ text: "The bass is too loud.", isCut: false });
  expect(standIn.requests).toMatchObject([{ model: "stand-in", messages: MESSAGES, stream: false }]);
});

test("reasoning before the answer is left out, and an answer that stops at a limit says so", async () => {
  standIn.answer((_, response) => {
    sendCompletion(response, "stand-in", "<think>\nHm.\n</think>\nLouder", "length");
    return null;
  });
  expect((await ask()).result).toEqual({ text: "Louder", isCut: true });
});

test("a model that is busy is asked again after the time that it names", async () => {
  standIn.answer(inTurn(failWith(429, { "retry-after": "2" }), () => "Done"));
  const start = performance.now();
  expect(await ask()).toEqual({ result: { text: "Done", isCut: false }, retries: ["The model is busy (429). It is asked again in 2 s."] });
  expect(performance.now() - start).toBeGreaterThan(1_900);
  expect(standIn.requests).toHaveLength(2);
});

test("a wait of more than 15 seconds is left to the caller", async () => {
  standIn.answer(failWith(429, { "retry-after": "90" }));
  expect(await failure()).toEqual(["The model is busy (429).", 90_000]);
  expect(standIn.requests).toHaveLength(1);
});

test("a service that fails is asked three times, longer and longer apart", async () => {
  standIn.answer(failWith(500));
  const { result, retries } = await ask();
  expect(retries).toEqual([
    "The model's service has failed (500). It is asked again in 1 s.",
    "The model's service has failed (500). It is asked again in 4 s.",
  ]);
  expect(result).toMatchObject({ message: "The model's service has failed (500).", retry: { afterMs: 0 } });
  expect(standIn.requests).toHaveLength(3);
});

test.each([
  [400, "The model's service refuses the request (400)."],
  [403, "The model's service refuses the key (403)."],
  [404, "The model's service does not know the address or the model (404)."],
  [413, "The text is too long for the model's service (413)."],
])("a status %i is not asked again", async (status, message) => {
  standIn.answer(failWith(status));
  expect(await failure()).toEqual([message, null]);
  expect(standIn.requests).toHaveLength(1);
});

test("a wrong key is refused without the key in the message", async () => {
  expect(await failure({ key: "sk-wrong" })).toEqual(["The model's service refuses the key (401).", null]);
});

test("redirects are not followed, so that key and text go nowhere else", async () => {
  standIn.answer((_, response) => {
    response.writeHead(307, { location: `${standIn.url}/chat/completions` }).end();
    return null;
  });
  expect(await failure()).toEqual(["The model's service redirects (307), which is not followed.", null]);
  expect(standIn.requests).toHaveLength(1);
});

test.each([
  ["broken JSON", '{"choices": [{"mess', "The model's service did not answer with JSON."],
  ["a page", "<html>Sign in</html>", "The model's service did not answer with JSON."],
  ["another shape", '{"choices": []}', "The model's service did not answer with a chat completion."],
  ["no text", '{"choices": [{"message": {"content": null}}]}', "The model's answer is empty."],
])("%s is no answer", async (_, body, message) => {
  standIn.answer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(body);
    return null;
  });
  expect(await failure()).toEqual([message, null]);
});

test("an endless answer ends the request after 1 MB", async () => {
  let written = 0;
  standIn.answer(async (request, response) => {
    response.writeHead(200);
    let isGone = false;
    void request.gone.then(() => (isGone = true));
    while (!isGone) {
      written += 65_536;
      if (!response.write(" ".repeat(65_536))) await Promise.race([once(response, "drain"), request.gone]);
    }
    return null;
  });
  expect(await failure()).toEqual(["The model's answer is longer than 1 MB.", null]);
  await standIn.requests[0]?.gone;
  expect(written).toBeLessThan(50_000_000);
});

test("a model that does not answer in time is asked again later, and its request ends", async () => {
  standIn.answer(() => new Promise(() => {}));
  expect(await failure({ timeoutMs: 100 })).toEqual(["The model did not answer within 0.1 seconds.", 15_001]);
  await standIn.requests[0]?.gone;
  expect(standIn.requests).toHaveLength(1);
});

test("an answer that stalls in its middle counts as none", async () => {
  standIn.answer((_, response) => {
    response.writeHead(200).write('{"choices": ');
    return null;
  });
  expect(await failure({ timeoutMs: 200 })).toEqual(["The model did not answer within 0.2 seconds.", 15_001]);
});

test("a service that is not there is named by the reason", async () => {
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as { port: number };
  closed.close();
  await once(closed, "close");
  expect(await failure({ url: `http://127.0.0.1:${port}/v1` })).toEqual(["The model's service cannot be reached (ECONNREFUSED).", 0]);
});

test("aborting ends a request, and a wait", async () => {
  const stop = new AbortController();
  standIn.answer(() => {
    stop.abort();
    return new Promise(() => {});
  });
  expect((await ask({ signal: stop.signal })).result).toMatchObject({ name: "AbortError" });
  await standIn.requests[0]?.gone;
  const stopWait = new AbortController();
  standIn.answer(failWith(503, { "retry-after": "10" }));
  setTimeout(() => stopWait.abort(), 300);
  const start = performance.now();
  expect((await ask({ signal: stopWait.signal })).result).toMatchObject({ name: "AbortError" });
  expect(performance.now() - start).toBeLessThan(5_000);
});
