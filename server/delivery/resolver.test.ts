import type { LookupAddress } from "node:dns";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDnsServer, type DnsServer } from "../testing/dns-server.ts";
import { createResolver } from "./resolver.ts";

let server: DnsServer;
beforeEach(async () => void (server = await startDnsServer({ "tools.test": "192.0.2.7" })));
afterEach(() => server.close());

const resolveName = (name: string, timeoutMs?: number, family?: number): Promise<LookupAddress[]> =>
  new Promise((resolve, reject) =>
    createResolver({ servers: [server.address], ...(timeoutMs === undefined ? {} : { timeoutMs }) })(
      name,
      { all: true, ...(family === undefined ? {} : { family }) },
      (error, addresses) => (error ? reject(error) : resolve(addresses)),
    ),
  );

test("queries the name servers for IPv4 and IPv6 addresses", async () => {
  expect(await resolveName("tools.test")).toEqual([{ address: "192.0.2.7", family: 4 }]);
  expect(server.queries.toSorted()).toEqual(["A tools.test", "AAAA tools.test"]);
  await expect(resolveName("tools.test", undefined, 6)).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test("resolves local names through the system without a query", async () => {
  expect((await resolveName("localhost")).map(({ address }) => address)).toContain("127.0.0.1");
  expect(server.queries).toEqual([]);
});

test("rejects an unknown name", async () => {
  await expect(resolveName("missing.invalid")).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) });
  expect(server.queries).toContain("A missing.invalid");
});

test("gives up on a silent name server after the timeout, and does not ask the system", async () => {
  await expect(resolveName("silent.test", 300)).rejects.toMatchObject({ code: "EAI_AGAIN" });
});
