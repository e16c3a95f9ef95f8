/** The page's one query cache. */
import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "../api/api-error.ts";

const TRIES = 3;

/** Only what may succeed without any change is tried again. */
export function shouldRetry(failures: number, error: unknown): boolean {
  return failures < TRIES && error instanceof ApiError && error.isTemporary;
}

/** Milliseconds before try number `failures + 1`: what the service asks for, else 0.5, 1, 2 s. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  return asked === undefined ? 500 * 2 ** failures : Math.min(asked, 30) * 1000;
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      retry: shouldRetry,
      retryDelay,
      // The browser's word on being online says nothing about a service in the same house.
      networkMode: "always",
    },
    mutations: { retry: false, networkMode: "always" },
  },
});
