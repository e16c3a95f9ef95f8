/** Measures a read of the service in turn with a constant route that returns the same bytes. */
import type { Goal, Line } from "./benchmark.ts";
import type { ConstantCalls } from "./constant-process.ts";
import type { BenchContext } from "./bench-context.ts";
import type { LoadRequest } from "./load-process.ts";

export const JSON_BODY = { "content-type": "application/json" };

/** Returns the requests per second over 10 connections beside those of the constant route. */
export async function measureRead(context: BenchContext, work: string, request: LoadRequest, goal?: Goal): Promise<Line> {
  const [service, load] = [await context.service(), await context.load()];
  const last = request.spread ? String(request.spread.from + request.spread.count - 1) : "";
  const response = await fetch(service.base + request.path.replace("{spread}", last), {
    method: request.method,
    headers: request.headers,
    ...(request.body ? { body: request.body.replace('"{spread}"', last) } : {}),
  });
  if (!response.ok) throw new Error(`${request.path} returned ${response.status}`);
  const bytes = await response.text();
  const constant = await context.helper<ConstantCalls>(new URL("constant-process.ts", import.meta.url));
  const base = await constant.call("respondWith", bytes);
  // The first requests compile code and load pages of the database.
  await load.call("load", { base: service.base, request, seconds: context.seconds(1) });
  await load.call("load", { base, request: { ...request, path: "/constant" }, seconds: context.seconds(1) });
  const measured = await context.inTurn(context.rounds(5), {
    "constant route": () => load.call("load", { base, request: { ...request, path: "/constant" }, seconds: context.seconds(1) }),
    work: () => load.call("load", { base: service.base, request, seconds: context.seconds(1.5) }),
  });
  await constant.stop();
  return {
    work: `${work} (${Math.round(bytes.length / 1_000)} kB)`,
    unit: "/s",
    values: measured.work.map(({ perSecond }) => perSecond),
    yardstick: { name: "the same bytes from a constant route", values: measured["constant route"].map(({ perSecond }) => perSecond) },
    ...(goal ? { goal } : {}),
  };
}
