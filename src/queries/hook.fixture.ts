import { QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { vi } from "vitest";
import { type Client, ClientContext } from "../client/client.ts";

/** Renders a hook once, without a DOM, and returns its result. */
export function renderHook<T>(client: Client, useHook: () => T): T {
  const results: T[] = [];
  const HookFixture = () => {
    results.push(useHook());
    return null;
  };
  const withCache = createElement(QueryClientProvider, { client: client.queryClient }, createElement(HookFixture));
  renderToStaticMarkup(createElement(ClientContext, { value: client }, withCache));
  return results[0] as T;
}

/** Replaces `fetch` until the test unstubs it. Returns the parsed bodies of the requests and a function that responds to the oldest open one. */
export function holdRequests() {
  const bodies: unknown[] = [];
  const open: PromiseWithResolvers<Response>[] = [];
  vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
    bodies.push(JSON.parse(String(body)));
    const response = Promise.withResolvers<Response>();
    open.push(response);
    return response.promise;
  });
  return {
    bodies,
    respond: (body: unknown, status = 200) =>
      open.shift()!.resolve(new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })),
  };
}
