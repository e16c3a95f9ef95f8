/** What this browser remembers of a service that lists nothing: opened chats and files, and created webhook endpoints. */
import { useEffect } from "react";
import * as z from "zod/mini";
import { useClient } from "../client/client.ts";
import { createPersistedList } from "../lib/persisted-list.ts";
import type { ServiceStorage } from "../lib/service-storage.ts";
import { useStore } from "../lib/store.ts";

const MAX_RECENTS = 12;
const MAX_ENDPOINTS = 50;

const recentSchema = z.object({ kind: z.enum(["chat", "file"]), id: z.int(), name: z.nullable(z.string()) });
/** An opened chat or file; `name`: null if the service gave none. */
export type Recent = z.infer<typeof recentSchema>;

/** `data`: the whole response of the service, of any shape, without secrets. */
const createdEndpointSchema = z.object({ url: z.string(), eventTypes: z.array(z.string()), createdAt: z.number(), data: z.unknown() });
export type CreatedEndpoint = z.infer<typeof createdEndpointSchema>;

export type DeviceRecords = ReturnType<typeof createDeviceRecords>;

/** `onDevice`: stores the endpoints, which stay also if the person chose the service for this tab only, because nothing else knows them. */
export function createDeviceRecords(storage: ServiceStorage, onDevice: ServiceStorage) {
  const recents = createPersistedList<Recent>(storage, "recents", {
    parse: (value) => recentSchema.safeParse(value).data,
    maxCount: MAX_RECENTS,
  });
  const endpoints = createPersistedList<CreatedEndpoint>(onDevice, "created-endpoints", {
    parse: (value) => createdEndpointSchema.safeParse(value).data,
    maxCount: MAX_ENDPOINTS,
  });
  const isSame = (a: Recent, b: Pick<Recent, "kind" | "id">) => a.kind === b.kind && a.id === b.id;
  return {
    recents,
    endpoints,
    /** Puts a chat or file first, under the name that is known already if none is given. */
    recordRecent(recent: Recent): void {
      const known = recents.get().find((item) => isSame(item, recent));
      if (known && known === recents.get()[0] && (recent.name === null || recent.name === known.name)) return;
      recents.update((items) => [{ ...recent, name: recent.name ?? known?.name ?? null }, ...items.filter((item) => !isSame(item, recent))]);
    },
    forgetRecent: (recent: Pick<Recent, "kind" | "id">): void => recents.update((items) => items.filter((item) => !isSame(item, recent))),
    recordEndpoint: (endpoint: CreatedEndpoint): void => endpoints.update((items) => [{ ...endpoint, data: withoutSecrets(endpoint.data) }, ...items]),
    forgetEndpoint: ({ createdAt, url }: CreatedEndpoint): void =>
      endpoints.update((items) => items.filter((item) => item.createdAt !== createdAt || item.url !== url)),
    dispose() {
      recents.dispose();
      endpoints.dispose();
    },
  };
}

/** Returns the chats and files opened before on this device, newest first. */
export const useRecents = (): readonly Recent[] => useStore(useClient().deviceRecords.get().recents);

/** Remembers an opened chat or file once it has loaded; null until then. */
export function useRecordRecent(recent: Recent | null): void {
  const deviceRecords = useClient().deviceRecords.get();
  const { kind, id, name } = recent ?? {};
  useEffect(() => {
    if (kind !== undefined && id !== undefined && name !== undefined) deviceRecords.recordRecent({ kind, id, name });
  }, [deviceRecords, kind, id, name]);
}

/** Returns the webhook endpoints created on this device, newest first. */
export const useCreatedEndpoints = (): readonly CreatedEndpoint[] => useStore(useClient().deviceRecords.get().endpoints);

const SECRET_NAME = /secret|token|password|passphrase|credential|api_?key|private_?key|signing_?key/i;
const SECRET_VALUE = /^(whsec|tb_[a-z]+)_/;

/** Returns a copy of JSON without the members whose names or values look like secrets. */
export function withoutSecrets(json: unknown): unknown {
  if (Array.isArray(json)) return json.filter((value) => !isSecret("", value)).map(withoutSecrets);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .filter(([name, value]) => !isSecret(name, value))
      .map(([name, value]) => [name, withoutSecrets(value)]),
  );
}

/** Returns the first text among the members of JSON that looks like a secret, or null. */
export function findSecret(json: unknown): string | null {
  if (typeof json !== "object" || json === null) return null;
  for (const [name, value] of Object.entries(json)) {
    const found = typeof value === "string" && value !== "" && isSecret(name, value) ? value : findSecret(value);
    if (found !== null) return found;
  }
  return null;
}

const isSecret = (name: string, value: unknown): boolean => (typeof value === "string" && SECRET_VALUE.test(value)) || SECRET_NAME.test(name);
