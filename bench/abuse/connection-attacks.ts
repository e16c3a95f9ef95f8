/** Attacks by connections, frames and requests without a sign-in. */
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { type Attack, expectAtMost, expectSome } from "./attack.ts";
import { count, endAll, openRaw, repeat, requestHead } from "./requests.ts";

export const CONNECTION_ATTACKS: Attack[] = [
  {
    name: "slow-bodies",
    title: "2,000 sockets that send one byte of a body every two seconds, by a stranger",
    async run({ target, outcomes, seconds, scale }) {
      const sockets: Socket[] = [];
      await repeat((2_000 * scale) / Math.min(2, seconds), Math.min(2, seconds), async () => {
        const head = requestHead("POST", "/v1/teams/ls", { "content-type": "application/json", "content-length": 100 });
        sockets.push(openRaw(target.service.base, outcomes, `${head}{`));
      });
      for (const until = performance.now() + (seconds - 2) * 1_000; performance.now() < until; await sleep(2_000))
        for (const socket of sockets) if (socket.writable) socket.write(" ");
      endAll(sockets, outcomes, "still open");
    },
    findProblem: (outcomes) => expectAtMost(outcomes, "still open", 500),
  },
  {
    name: "unfinished-bodies",
    title: "200 JSON bodies of a guest that never end",
    async run({ target, outcomes, seconds, scale }) {
      const headers = { ...target.guest, "content-type": "application/json", "content-length": 200_000 };
      const head = requestHead("POST", "/v1/account/projects/chat_history", headers);
      const sockets = Array.from({ length: 200 * scale }, () => openRaw(target.service.base, outcomes, `${head}{`));
      await sleep(seconds * 1_000);
      endAll(sockets, outcomes, "still open");
    },
  },
  {
    name: "forwarded-bodies",
    title: "2,000 unfinished bodies by way of a proxy, from one address",
    settings: { TRUST_PROXY: "127.0.0.1" },
    async run({ target, outcomes, seconds, scale }) {
      const headers = { "content-type": "application/json", "content-length": 100, "x-forwarded-for": "203.0.113.9" };
      const head = requestHead("POST", "/api/v2/session", headers);
      const sockets: Socket[] = [];
      await repeat((2_000 * scale) / seconds, seconds, async () => void sockets.push(openRaw(target.service.base, outcomes, `${head}{`)));
      endAll(sockets, outcomes, "still open");
    },
    findProblem: (outcomes) => expectAtMost(outcomes, "still open", 500),
  },
  {
    name: "aborted",
    title: "100 bodies a second that are aborted half way, by a stranger",
    async run({ target, outcomes, seconds, scale }) {
      await repeat(100 * scale, seconds, async () => {
        const head = requestHead("POST", "/v1/teams/ls", { "content-type": "application/json", "content-length": 20_000 });
        const socket = openRaw(target.service.base, outcomes, head + "x".repeat(10_000));
        await sleep(50);
        endAll([socket], outcomes, "aborted");
      });
    },
  },
  {
    name: "live-frames",
    title: "100 subscriptions a second on each of 50 live sockets",
    async run({ target, outcomes, seconds, scale }) {
      const url = `${target.service.base.replace("http", "ws")}/api/v2/live`;
      const sockets = Array.from({ length: 50 }, () => new WebSocket(url, { headers: target.guest, perMessageDeflate: false }));
      for (const socket of sockets) {
        socket.on("error", () => {});
        socket.on("unexpected-response", (_request, response) => count(outcomes, response.statusCode ?? 0));
        socket.on("close", (code) => count(outcomes, `closed ${code}`));
        socket.on("message", (data) => count(outcomes, Object.keys(JSON.parse(String(data)) as object)[0] ?? ""));
      }
      await repeat(100 * scale, seconds, async () => {
        const frame = JSON.stringify({ subscribe: { topic: `project:${target.large.project}`, since: 0 } });
        for (const socket of sockets) if (socket.readyState === socket.OPEN) socket.send(frame);
      });
      for (const socket of sockets) socket.terminate();
    },
  },
  {
    name: "pages",
    title: "200 times a second the API's description (500 kB), by a stranger",
    run: ({ send, seconds }) => repeat(200, seconds, () => send({ method: "GET", path: "/openapi.json" })),
    findProblem: (outcomes) => expectSome(outcomes, "429"),
  },
  {
    name: "guessing",
    title: "20 guesses of a password a second",
    run: ({ send, seconds }) =>
      repeat(20, seconds, (index) =>
        send({ method: "POST", path: "/api/v2/session", body: { login: "owner@talkback.test", password: `wrong guess ${index}` } }),
      ),
    findProblem: (outcomes) => expectSome(outcomes, "429"),
  },
  {
    name: "guessing-networks",
    title: "150 guesses of one password, each from another network",
    settings: { TRUST_PROXY: "127.0.0.1" },
    run: ({ send, seconds }) =>
      repeat(150 / seconds, seconds, (index) =>
        send({
          method: "POST",
          path: "/api/v2/session",
          headers: { "x-forwarded-for": `2001:db8:${index.toString(16)}::1` },
          body: { login: "owner@talkback.test", password: `wrong guess ${index}` },
        }),
      ),
    findProblem: (outcomes) => expectSome(outcomes, "429"),
  },
];
