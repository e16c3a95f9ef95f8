import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { allowOrigin, clearChosenConnection, getChosenConnection, loadConnection, parseBaseUrl, setChosenConnection } from "./connection.ts";

const createStorage = () => {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
};
/** The cookies of a document, without their attributes. */
const createCookies = () => {
  const cookies = new Map<string, string>();
  return {
    get cookie() {
      return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    },
    set cookie(text: string) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      if (text.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    },
  };
};
const storages = { tab: createStorage(), device: createStorage() };
const fetchMock = vi.fn<() => Promise<Response>>();
beforeEach(() => {
  vi.stubGlobal("location", new URL("https://page.test"));
  storages.tab = createStorage();
  storages.device = createStorage();
  vi.stubGlobal("sessionStorage", storages.tab);
  vi.stubGlobal("localStorage", storages.device);
  vi.stubGlobal("fetch", fetchMock);
  vi.stubGlobal("document", createCookies());
  fetchMock.mockImplementation(async () => Response.json({ service_url: "" }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

test.each([
  ["https://Other.test", "https://other.test"],
  ["https://other.test/", "https://other.test"],
  [" https://other.test:8443/service// ", "https://other.test:8443/service"],
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["http://[::1]:3000/service/", "http://[::1]:3000/service"],
  ["https://other.test:443/?#", "https://other.test"],
  ["https://page.test/", ""],
  ["https://page.test/service/", "https://page.test/service"],
])("the address %s is the base URL %s", (address, baseUrl) => expect(parseBaseUrl(address)).toBe(baseUrl));

test.each([
  "",
  "other.test",
  "ftp://other.test",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://me@other.test",
  "https://me:secret@other.test",
  "https://other.test/?a=1",
  "https://other.test/#x",
  "http://[::1",
])("%j is no address", (address) => expect(() => parseBaseUrl(address)).toThrow(TypeError));

test("the choice for the tab comes first, then the one for the device, config.json and the build", async () => {
  expect(await loadConnection()).toEqual({ baseUrl: "", upstream: "" });
  vi.stubEnv("VITE_SERVICE_URL", "https://built.test/");
  expect(await loadConnection()).toMatchObject({ baseUrl: "https://built.test" });
  fetchMock.mockImplementation(async () => Response.json({ service_url: "https://configured.test/" }));
  expect(await loadConnection()).toMatchObject({ baseUrl: "https://configured.test" });
  fetchMock.mockRejectedValue(new TypeError("failed"));
  setChosenConnection({ baseUrl: "https://device.test", token: "d" }, true);
  expect(await loadConnection()).toEqual({ baseUrl: "https://device.test", token: "d", isForTab: false });
  setChosenConnection({ baseUrl: "https://tab.test/a", token: "t" }, false);
  expect(await loadConnection()).toEqual({ baseUrl: "https://tab.test/a", token: "t", isForTab: true });
  // Other tabs keep the choice of the device.
  expect([...storages.device.values.values()].join()).not.toContain("tab.test");
  // Forgetting the tab's choice leaves the one for the device.
  clearChosenConnection();
  expect(getChosenConnection()).toEqual({ baseUrl: "https://device.test", token: "d", isOnDevice: true });
  clearChosenConnection();
  expect([storages.tab.values.size, storages.device.values.size, getChosenConnection()]).toEqual([0, 0, null]);
});

test.each<[path: string, isOwn: boolean]>([
  ["/invite", true],
  ["/reset/", true],
  ["/setup", true],
  ["/authorize?client_id=1", true],
  ["/sign-in?next=%2Fauthorize%3Fclient_id%3D1", true],
  ["/sign-in?next=%2Fprojects%2F3", false],
  ["/sign-in?next=%2F%2Fevil.test%2Fauthorize", false],
  ["/projects/3/chat?next=%2Fauthorize", false],
])("%s belongs to the page's own service, whatever was chosen or configured: %s", async (path, isOwn) => {
  setChosenConnection({ baseUrl: "https://tab.test", token: "t" }, false);
  fetchMock.mockImplementation(async () => Response.json({ service_url: "https://configured.test/" }));
  vi.stubGlobal("location", new URL(path, "https://page.test"));
  expect(await loadConnection()).toEqual(isOwn ? { baseUrl: "", upstream: "" } : { baseUrl: "https://tab.test", token: "t", isForTab: true });
});

test("a service that is kept no longer on the device leaves no token there", () => {
  setChosenConnection({ baseUrl: "https://one.test", token: "old" }, true);
  setChosenConnection({ baseUrl: "https://one.test", token: "new" }, false);
  expect([...storages.device.values.values()]).toEqual([]);
});

test("a token for the service behind this page is not sent to another one that is behind it later", async () => {
  fetchMock.mockImplementation(async () => Response.json({ service_url: "", upstream: "https://a.test" }));
  setChosenConnection({ baseUrl: "", upstream: "https://a.test", token: "t" }, true);
  expect(await loadConnection()).toEqual({ baseUrl: "", token: "t", upstream: "https://a.test", isForTab: false });
  for (const upstream of ["https://b.test", ""]) {
    fetchMock.mockImplementation(async () => Response.json({ service_url: "", upstream }));
    expect(await loadConnection()).toEqual({ baseUrl: "", upstream });
  }
});

test("a browser that forbids storage keeps an earlier choice, and is not said to have stored another", async () => {
  const forbid = (storage: ReturnType<typeof createStorage>) =>
    vi.spyOn(storage, "setItem").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
  setChosenConnection({ baseUrl: "https://before.test", token: "b" }, false);
  forbid(storages.device);
  expect(setChosenConnection({ baseUrl: "https://one.test", token: "t" }, true)).toBe(false);
  expect(getChosenConnection()).toEqual({ baseUrl: "https://before.test", token: "b", isOnDevice: false });
  expect(setChosenConnection({ baseUrl: "https://one.test", token: "t" }, false)).toBe(true);
  expect(getChosenConnection()).toMatchObject({ baseUrl: "https://one.test", isOnDevice: false });
  forbid(storages.tab);
  expect(setChosenConnection({ baseUrl: "https://two.test", token: "t" }, false)).toBe(false);
  expect(getChosenConnection()).toMatchObject({ baseUrl: "https://one.test" });
  // As where the page may not even ask.
  vi.stubGlobal("sessionStorage", undefined);
  vi.stubGlobal("localStorage", undefined);
  expect([true, false].map((isOnDevice) => setChosenConnection({ baseUrl: "https://two.test" }, isOnDevice))).toEqual([false, false]);
  expect(await loadConnection()).toEqual({ baseUrl: "", upstream: "" });
});

test.each([
  ["http://nas.example", "https://page.test", false],
  ["http://192.0.2.7:3000", "https://page.test", false],
  ["http://127.0.0.1:3000", "https://page.test", true],
  ["http://localhost:3000", "https://page.test", true],
  ["https://nas.example", "https://page.test", true],
  ["http://nas.example", "http://page.test", true],
])("a service at %s can be used from a page at %s: %s; otherwise nothing is requested of it", async (baseUrl, page, isUsable) => {
  vi.stubGlobal("location", new URL(page));
  fetchMock.mockImplementation(async () => Response.json({ service_url: baseUrl }));
  const loading = loadConnection();
  if (isUsable) expect(await loading).toMatchObject({ baseUrl });
  else await expect(loading).rejects.toMatchObject({ kind: "blocked", title: "Your browser lets pages on https use only services on https" });
});

test("a choice for the device replaces the tab's", () => {
  setChosenConnection({ baseUrl: "https://tab.test" }, false);
  setChosenConnection({ baseUrl: "https://device.test" }, true);
  expect([storages.tab.values.size, getChosenConnection()]).toEqual([0, { baseUrl: "https://device.test", isOnDevice: true }]);
});

test.each(["", "no json", '{"baseUrl":7}', '{"baseUrl":"javascript:alert(1)"}', '{"baseUrl":"https://a.test/?q"}', "null"])(
  "the stored choice %j is ignored",
  (text) => {
    storages.tab.setItem("talkback.connection", text);
    expect(getChosenConnection()).toBeNull();
  },
);

test.each<[string, () => Response]>([
  ["no file", () => new Response("", { status: 404 })],
  ["the page", () => new Response("<!doctype html>")],
  ["other JSON", () => Response.json([])],
  ["null", () => Response.json(null)],
  ["an address that is none", () => Response.json({ service_url: "javascript:alert(1)", upstream: 7 })],
])("a server that has %s in place of config.json is the service itself", async (_, respond) => {
  fetchMock.mockImplementation(async () => respond());
  expect(await loadConnection()).toEqual({ baseUrl: "", upstream: "" });
});

test("a page that forwards requests names the service behind it", async () => {
  vi.stubEnv("VITE_SERVICE_URL", "https://built.test/");
  fetchMock.mockImplementation(async () => Response.json({ service_url: "", upstream: "https://behind.test/" }));
  expect(await loadConnection()).toEqual({ baseUrl: "", upstream: "https://behind.test" });
});

test("the page's service learns the origins of the services that this browser uses", () => {
  expect(allowOrigin("", false)).toBe(false);
  expect(allowOrigin("https://one.test/service", false)).toBe(true);
  expect(allowOrigin("https://one.test", true)).toBe(false);
  expect(allowOrigin("http://127.0.0.1:4000", true)).toBe(true);
  expect(document.cookie).toBe("__Host-talkback-services=http://127.0.0.1:4000|https://one.test");
  setChosenConnection({ baseUrl: "https://one.test/service", token: "t" }, false);
  clearChosenConnection();
  expect(document.cookie).toBe("__Host-talkback-services=http://127.0.0.1:4000");
  // A browser that stores no cookies must not load the page again and again.
  vi.stubGlobal("document", new Proxy({ cookie: "" }, { set: () => true }));
  expect(allowOrigin("https://one.test", false)).toBe(false);
});

test.each([500, 503, 429])("config.json with status %s leaves the service unknown", async (status) => {
  fetchMock.mockImplementation(async () => new Response("", { status }));
  await expect(loadConnection()).rejects.toMatchObject({ kind: "problem", status });
  fetchMock.mockRejectedValue(new TypeError("failed"));
  await expect(loadConnection()).rejects.toMatchObject({ kind: "offline" });
});
