import { expect } from "vitest";
import { getDemo as statusOf, makeDemo as make } from "../../../contract/operations/demo.ts";
import { LEASE_MS } from "../../domain/demo/run.ts";
import { demoUnderWay, withoutDemo } from "../demo.ts";
import type { Case } from "./case.ts";

const underWay: Case["good"] = async ({ world, owner }) => {
  await demoUnderWay(world, owner.id);
  return {};
};
const running = { state: "running", possible: false, step: "chat", progress: 0.25, project_id: null, failure: null };

export const getDemo: Case = {
  good: underWay,
  happy: ({ data }) => expect(data).toEqual(running),
  bad: {},
  foreign: [],
  edge: {
    "what its maker let go of was interrupted, and may be asked for again": async ({ world, owner }) => {
      await demoUnderWay(world, owner.id);
      world.clock.pass(LEASE_MS + 1);
      const { data } = (await world.call(owner, statusOf)).answer;
      expect(data).toMatchObject({ state: "failed", possible: true, failure: "It was interrupted before it was done." });
    },
    "why it failed": async ({ world, owner }) => {
      await demoUnderWay(world, owner.id, "failed");
      expect((await world.call(owner, statusOf)).answer.data).toMatchObject({ state: "failed", possible: true, failure: "The disk is full." });
    },
  },
};

export const makeDemo: Case = {
  good: underWay,
  happy: ({ data }) => expect(data).toEqual(running),
  bad: {},
  foreign: [
    [
      "an organisation that has projects",
      async ({ world, owner }) => {
        await withoutDemo(world, owner.id);
        return {};
      },
      409,
    ],
  ],
  edge: {
    "one that failed goes on, and twice at once is once": async ({ world, owner }) => {
      await demoUnderWay(world, owner.id, "failed");
      const answers = await Promise.all([1, 2, 3].map(() => world.call(owner, make)));
      for (const { answer } of answers) expect(answer.data).toMatchObject({ state: "running", possible: false });
      expect(world.demos).toHaveLength(1);
      world.demos.length = 0;
    },
  },
};
