/** Query functions and mutations that call one operation of the contract. */
import { type QueryFunctionContext, useMutation, useMutationState } from "@tanstack/react-query";
import { useState } from "react";
import type { Operation } from "../../contract/define-operation.ts";
import type { Api, CallInput, CallOptions, DataOf } from "../api/http.ts";
import { type ClientData, useClient } from "../client/client.ts";
import { randomId } from "../lib/random-id.ts";

/** Returns a query function that calls an operation and resolves to the `data` of its response. */
export const fetchData =
  <O extends Operation>(operation: O, input: CallInput<O>) =>
  ({ signal, meta }: QueryFunctionContext): Promise<DataOf<O>> =>
    meta!.client.api.data(operation, input, { signal });

const ALL_PAGES_LIMIT = 200;

interface Page<T> {
  data: T[];
  next_cursor: string | null;
}

/** Returns a query function that fetches every page of a list, for lists that are shown whole (projects, people). */
export const fetchAll =
  <T>(fetchPage: (api: Api, query: { cursor: string | undefined; limit: number }, options: CallOptions) => Promise<Page<T>>) =>
  ({ signal, meta }: QueryFunctionContext): Promise<T[]> =>
    fetchAllPages((cursor) => fetchPage(meta!.client.api, { cursor, limit: ALL_PAGES_LIMIT }, { signal }));

/** Fetches every page of a list with cursors. */
export async function fetchAllPages<T>(fetchPage: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const items: T[] = [];
  const seenCursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    items.push(...page.data);
    cursor = page.next_cursor ?? undefined;
    // A service that returns the same cursor twice must not cause an endless loop.
    if (cursor !== undefined && seenCursors.has(cursor)) break;
    if (cursor !== undefined) seenCursors.add(cursor);
  } while (cursor !== undefined);
  return items;
}

/** The options of an infinite query over a list with cursors. */
export const CURSOR_PAGES = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_cursor }: { next_cursor: string | null }) => next_cursor ?? undefined,
};

interface OperationOptions<O extends Operation, Variables> {
  /** Resending the same variables, as after a lost response, runs the operation once. */
  isIdempotent?: boolean;
  /** Requests of the same queue are sent one after another, so that the last change is the one that stays. */
  queue?: string;
  /** Called for each request that failed, also if others follow it. */
  onError?: ((error: unknown) => void) | undefined;
  /** Returns the body of an operation whose body is bytes. */
  bytesOf?: (variables: Variables) => Blob;
  /** Updates the cache. */
  onSuccess?(client: ClientData, data: DataOf<O>, variables: Variables): unknown;
}

/** Returns a mutation that calls an operation with the input made from its variables, and resolves to the `data` of its response. */
export function useOperation<O extends Operation, Variables = void>(
  operation: O,
  toInput: (variables: Variables) => CallInput<O>,
  { isIdempotent = false, queue, bytesOf, onError, onSuccess }: OperationOptions<O, Variables> = {},
) {
  const client = useClient();
  const idempotencyKeyFor = useIdempotencyKey();
  return useMutation({
    mutationFn: (variables: Variables) =>
      client.api.data(operation, toInput(variables), {
        ...(isIdempotent && { idempotencyKey: idempotencyKeyFor(variables) }),
        ...(bytesOf && { bytes: bytesOf(variables) }),
      }),
    onSuccess: (data, variables) => onSuccess?.(client, data, variables),
    onError: (error) => onError?.(error),
    ...(queue !== undefined && { scope: { id: queue }, mutationKey: [queue] }),
  });
}

/** Returns the variables of the requests of a queue that have no response yet, in order. */
export const usePendingVariables = <Variables>(queue: string): Variables[] =>
  useMutationState({ filters: { mutationKey: [queue], status: "pending" }, select: ({ state }) => state.variables as Variables });

/** Returns a function that returns the key for `body`: the same for the same body as before, a new one for any other. */
export function createIdempotencyKeys(generateId: () => string): (body: unknown) => string {
  let last: { text: string; key: string } | undefined;
  return (body) => {
    const text = JSON.stringify(body);
    if (last?.text !== text) last = { text, key: generateId() };
    return last.key;
  };
}

/** Returns the idempotency keys of one form for as long as it is mounted. */
export function useIdempotencyKey(): (body: unknown) => string {
  const [idempotencyKeyFor] = useState(() => createIdempotencyKeys(randomId));
  return idempotencyKeyFor;
}
