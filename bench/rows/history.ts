/** Pages of chat history, and how their cost grows with the chat. */
import type { Benchmark } from "../lib/benchmark.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import type { LoadRequest } from "../lib/load-process.ts";
import { JSON_BODY, measureRead } from "../lib/reads.ts";

/** Requests the newest page, which the service keeps until somebody writes, or pages from all over the chat, each of which it builds. */
async function historyOf(context: BenchContext, project: number, spread?: LoadRequest["spread"]): Promise<LoadRequest> {
  const { ana } = await context.data();
  const body = JSON.stringify({ project_id: project, limit: 50, ...(spread ? { before_id: "{spread}" } : {}) });
  return { method: "POST", path: "/v1/account/projects/chat_history", headers: { ...ana.headers, ...JSON_BODY }, body, ...(spread ? { spread } : {}) };
}

/** The later half of a chat, whose ids are nearly without gaps. */
const laterHalf = ({ middle, newest }: { middle: number; newest: number }) => ({ from: middle, count: newest - middle });

export const history: Benchmark = {
  name: "history",
  title: "newest page of 50 in a chat of 100,000 of 1,500,000 messages, against a constant route",
  async run(context) {
    const { chats, sizes } = await context.data();
    const request = await historyOf(context, chats.large.project);
    return [
      await measureRead(context, `newest page of 50, chat of ${sizes.largeChat.toLocaleString("en-US")}`, request, {
        of: "ratio",
        better: "higher",
        must: 0.25,
        aim: 0.6,
      }),
      await measureRead(context, "pages from all over that chat, each built anew", await historyOf(context, chats.large.project, laterHalf(chats.large))),
    ];
  },
};

export const historyGrowth: Benchmark = {
  name: "history-growth",
  title: "time of a page in chats of 1,000, 100,000 and 1,000,000 messages, newest and all over, against the smallest chat",
  async run(context) {
    const [{ chats, sizes }, service, load] = [await context.data(), await context.service(), await context.load()];
    const requests: Record<string, LoadRequest> = {};
    for (const [size, chat] of Object.entries(chats)) {
      requests[`${size} newest`] = await historyOf(context, chat.project);
      requests[`${size} anywhere`] = await historyOf(context, chat.project, laterHalf(chat));
    }
    const run = (request: LoadRequest) => async () =>
      1_000 / (await load.call("load", { base: service.base, request, seconds: context.seconds(0.6) })).perSecond;
    const steps = Object.fromEntries(Object.entries(requests).map(([step, request]) => [step, run(request)]));
    const times = await context.inTurn(context.rounds(3), steps);
    return ["newest", "anywhere"].flatMap((place) =>
      (["large", "largest"] as const).map((size) => ({
        work: `${place === "newest" ? "newest page" : "pages all over, each built anew"}, chat of ${sizes[`${size}Chat`].toLocaleString("en-US")}`,
        unit: "ms",
        values: times[`${size} ${place}`]!,
        yardstick: { name: `chat of ${sizes.smallChat.toLocaleString("en-US")}`, values: times[`small ${place}`]! },
        goal: { of: "ratio" as const, better: "lower" as const, must: 1.3, aim: 1.1 },
      })),
    );
  },
};
