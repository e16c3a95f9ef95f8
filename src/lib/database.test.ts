import { forceCloseDatabase } from "fake-indexeddb";
import { type DBSchema, deleteDB, openDB } from "idb";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDatabase, DURABLE } from "./database.ts";
import { stubIndexedDb } from "./indexed-db.fixture.ts";

interface Schema extends DBSchema {
  things: { key: string; value: { id: string; n: number } };
  bytes: { key: string; value: Blob };
}

const STORES = { things: { keyPath: "id" }, bytes: {} };

let factory: IDBFactory;
beforeEach(() => void (factory = stubIndexedDb()));
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const createThings = () => {
  const database = createDatabase<Schema>("test", STORES);
  return {
    database,
    put: (id: string, n: number) => database.transact(["things"], "readwrite", (transaction) => transaction.objectStore("things").put({ id, n }), DURABLE),
    get: async (id: string) => (await database.transact(["things"], "readonly", (transaction) => transaction.objectStore("things").get(id)))?.n,
  };
};

/** Spies on the connections that the code under test opens. */
function recordConnections(): IDBDatabase[] {
  const connections: IDBDatabase[] = [];
  const open = factory.open.bind(factory);
  vi.spyOn(factory, "open").mockImplementation((...args) => {
    const request = open(...args);
    request.addEventListener("success", () => connections.push(request.result));
    return request;
  });
  return connections;
}

/** Opens a database as a page does that never closes it for others. */
const openWithoutClosing = (version: number, stores: string[]) =>
  openDB("test", version, { upgrade: (upgraded) => stores.forEach((store) => upgraded.createObjectStore(store, store === "things" ? { keyPath: "id" } : {})) });

describe("opening a database", () => {
  test("creates the stores of a new one, once for several calls", async () => {
    const connections = recordConnections();
    const { put, get } = createThings();
    await Promise.all([put("a", 1), put("b", 2)]);
    expect([await get("a"), await get("b"), connections.length]).toEqual([1, 2, 1]);
  });

  test("that failed is tried again by the next call", async () => {
    const { put, get } = createThings();
    vi.spyOn(factory, "open").mockImplementationOnce(() => {
      throw new DOMException("forbidden", "SecurityError");
    });
    await expect(put("a", 1)).rejects.toThrow("forbidden");
    await put("a", 2);
    expect(await get("a")).toBe(2);
  });

  test("keeps the records of an earlier version, and adds the stores that it lacks", async () => {
    const earlier = await openWithoutClosing(1, ["things"]);
    await earlier.put("things", { id: "a", n: 7 });
    earlier.close();
    const { database, get } = createThings();
    await database.transact(["bytes"], "readwrite", (transaction) => transaction.objectStore("bytes").put(new Blob(["x"]), "a"));
    expect(await get("a")).toBe(7);
  });

  test("works with the database of a newer version, and with an empty one", async () => {
    const newer = await openWithoutClosing(9, ["things", "bytes", "drafts"]);
    await newer.put("things", { id: "a", n: 7 });
    const { get } = createThings();
    expect(await get("a")).toBe(7);
    expect(newer.version).toBe(9);
    await openDB("empty").then((empty) => empty.close());
    const emptyBefore = createDatabase<Schema>("empty", STORES);
    expect(await emptyBefore.transact(["things"], "readonly", (transaction) => transaction.objectStore("things").count())).toBe(0);
  });

  test("that another page blocks is given up after a while, and used once that page closes", async () => {
    const blocking = await openWithoutClosing(1, ["things"]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { put, get } = createThings();
    const blocked = put("a", 1).catch(String);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(await blocked).toContain("does not respond");
    vi.useRealTimers();
    blocking.close();
    await put("a", 2);
    expect(await get("a")).toBe(2);
  });

  test("continues in the version that another page made meanwhile", async () => {
    await openDB("test").then((empty) => empty.close());
    const open = factory.open.bind(factory);
    let isUpgraded = false;
    vi.spyOn(factory, "open").mockImplementation((name, version) => {
      if (version !== undefined && !isUpgraded) {
        isUpgraded = true;
        void openWithoutClosing(5, ["things", "bytes"]).then((other) => other.close());
      }
      return open(name, version);
    });
    const { put, get } = createThings();
    await put("a", 1);
    expect([await get("a"), isUpgraded]).toEqual([1, true]);
  });
});

describe("an open database", () => {
  test("makes way for a newer page, and is opened again in its version", async () => {
    const { put, get } = createThings();
    await put("a", 1);
    const newer = await openDB("test", 2, { upgrade: (upgraded) => void upgraded.createObjectStore("drafts") });
    expect(await get("a")).toBe(1);
    expect([...newer.objectStoreNames]).toEqual(["bytes", "drafts", "things"]);
  });

  test("that is deleted is created again", async () => {
    const { put, get } = createThings();
    await put("a", 1);
    await deleteDB("test");
    expect(await get("a")).toBeUndefined();
    await put("a", 2);
    expect(await get("a")).toBe(2);
  });

  test("is opened again after the browser closed it, with or without an event", async () => {
    const connections = recordConnections();
    const { put, get } = createThings();
    await put("a", 1);
    forceCloseDatabase(connections[0] as never);
    expect([await get("a"), connections.length]).toEqual([1, 2]);
    // The next transaction throws an InvalidStateError.
    connections[1]!.close();
    expect([await get("a"), connections.length]).toEqual([1, 3]);
  });
});

describe("a closed database", () => {
  test("ends its connection after the calls before, and a later call's after the call", async () => {
    const connections = recordConnections();
    const { database, put, get } = createThings();
    await put("a", 1);
    const earlier = [put("b", 2), put("c", 3)];
    database.close();
    await Promise.all(earlier);
    expect([await get("b"), await get("c")]).toEqual([2, 3]);
    expect(connections.length).toBeGreaterThan(1);
    // An upgrade by another page asks every connection that is still open to close.
    const onOpen = vi.fn();
    for (const connection of connections) connection.addEventListener("versionchange", onOpen);
    (await openDB("test", 9)).close();
    expect(onOpen).not.toHaveBeenCalled();
  });
});

describe("a transaction", () => {
  test("rejects when the disk is full, and changes nothing", async () => {
    const { database, put, get } = createThings();
    await put("a", 1);
    const full = database.transact(["things"], "readwrite", async (transaction) => {
      await transaction.objectStore("things").put({ id: "a", n: 2 });
      const request = IDBObjectStore.prototype.put;
      vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(function (this: IDBObjectStore, value, key) {
        const putRequest = request.call(this, value, key);
        this.transaction.abort();
        return putRequest;
      });
      await transaction.objectStore("things").put({ id: "b", n: 2 });
    });
    await expect(full).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
    expect([await get("a"), await get("b")]).toEqual([1, undefined]);
  });

  test("is undone when its work throws", async () => {
    const { database, put, get } = createThings();
    await put("a", 1);
    const failing = database.transact(["things"], "readwrite", async (transaction) => {
      await transaction.objectStore("things").put({ id: "a", n: 2 });
      throw new Error("refused");
    });
    await expect(failing).rejects.toThrow("refused");
    expect(await get("a")).toBe(1);
  });

  test("rejects when it ends before its work", async () => {
    const { database } = createThings();
    const early = database.transact(["things"], "readwrite", async (transaction) => {
      const things = transaction.objectStore("things");
      await transaction.done;
      await things.put({ id: "a", n: 1 });
    });
    await expect(early).rejects.toThrow(expect.objectContaining({ name: "TransactionInactiveError" }));
  });

  test("runs after those before it over the same store, also if it is empty", async () => {
    const { database, put } = createThings();
    const order: string[] = [];
    const saved = put("a", 1).then(() => order.push("saved"));
    await database.transact(["things"], "readwrite", () => undefined);
    order.push("empty");
    await saved;
    expect(order).toEqual(["saved", "empty"]);
  });

  test("writes with the durability that it is given", async () => {
    const connections = recordConnections();
    const { put, get } = createThings();
    await get("a");
    const begin = vi.spyOn(connections[0]!, "transaction");
    await put("a", 1);
    expect(begin.mock.calls[0]![2]).toEqual({ durability: "strict" });
  });
});
