import { expect } from "vitest";
import { getDemo as getDemoOperation, createDemo as createDemoOperation, removeDemo as removeDemoOperation } from "../../../contract/operations/demo.ts";
import { LEASE_MS } from "../../modules/demo/run.ts";
import { insertDemo, deleteDemo } from "../demo.ts";
import type { EndpointCase } from "./case.ts";

const runningDemoInput: EndpointCase["valid"] = async ({ testApp, owner }) => {
  await insertDemo(testApp, owner.id);
  return {};
};
const running = { state: "running", possible: false, step: "chat", progress: 0.25, project_id: null, failure: null, contents: null };

export const getDemo: EndpointCase = {
  valid: runningDemoInput,
  assertResponse: ({ data }) => expect(data).toEqual(running),
  invalid: {},
  rejectedRequests: [],
  edgeCases: {
    "a demo with an expired lease is reported as interrupted and possible again": async ({ testApp, owner }) => {
      await insertDemo(testApp, owner.id);
      testApp.clock.advance(LEASE_MS + 1);
      const { data } = (await testApp.call(owner, getDemoOperation)).response;
      expect(data).toMatchObject({ state: "failed", possible: true, failure: "It was interrupted." });
    },
    "returns the reason of a failure": async ({ testApp, owner }) => {
      await insertDemo(testApp, owner.id, "failed");
      expect((await testApp.call(owner, getDemoOperation)).response.data).toMatchObject({ state: "failed", possible: true, failure: "The disk is full." });
    },
  },
};

export const createDemo: EndpointCase = {
  valid: runningDemoInput,
  assertResponse: ({ data }) => expect(data).toEqual(running),
  invalid: {},
  rejectedRequests: [
    [
      "an organization with projects",
      async ({ testApp, owner }) => {
        await deleteDemo(testApp, owner.id);
        return {};
      },
      409,
    ],
  ],
  edgeCases: {
    "simultaneous requests resume a failed demo once": async ({ testApp, owner }) => {
      await insertDemo(testApp, owner.id, "failed");
      const replies = await Promise.all([1, 2, 3].map(() => testApp.call(owner, createDemoOperation)));
      for (const { response } of replies) expect(response.data).toMatchObject({ state: "running", possible: false });
      expect(testApp.requestedDemos).toHaveLength(1);
      testApp.requestedDemos.length = 0;
    },
  },
};

export const removeDemo: EndpointCase = {
  valid: async ({ testApp, owner }) => {
    await insertDemo(testApp, owner.id, "failed");
    return {};
  },
  assertResponse: ({ data }) => expect(data).toMatchObject({ state: "removing", possible: false, progress: 0, contents: null }),
  invalid: {},
  rejectedRequests: [
    [
      "an organization without a demo",
      async ({ testApp, owner }) => {
        await deleteDemo(testApp, owner.id);
        return {};
      },
      409,
    ],
  ],
  edgeCases: {
    "a demo that is being created stays": async ({ testApp, owner }) => {
      await insertDemo(testApp, owner.id);
      expect((await testApp.call(owner, removeDemoOperation)).status).toBe(409);
    },
    "simultaneous requests remove it once": async ({ testApp, owner }) => {
      await insertDemo(testApp, owner.id, "failed");
      await testApp.database.write((tx) => tx.deleteFrom("jobs").where("kind", "=", "demo.removal").execute());
      const replies = await Promise.all([1, 2, 3].map(() => testApp.call(owner, removeDemoOperation)));
      for (const { response } of replies) expect(response.data.state).toBe("removing");
      expect(await testApp.database.read.selectFrom("jobs").select("state").where("kind", "=", "demo.removal").execute()).toEqual([{ state: "waiting" }]);
    },
  },
};
