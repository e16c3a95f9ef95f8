import { expect } from "vitest";
import type { DeliveryRules } from "../../../contract/delivery-records.ts";
import * as operations from "../../../contract/operations/delivery-rules.ts";
import { renameFile } from "../../../contract/operations/files.ts";
import type { Fixtures } from "../fixtures.ts";
import { BAD_ID_IN_PATH, BAD_TIMESTAMP, type EndpointCase, badLine, withoutNull } from "./case.ts";
import { createFile, createProcessedFile, inaccessibleFilesInPath } from "./helpers.ts";

const NO_RULES = { loudness: null, true_peak_max: null, sample_rates: [], bit_depths: [], channels: [], formats: [], name_pattern: null };
const RULES = {
  loudness: { target: -14, tolerance: 0.5 },
  true_peak_max: -1.1,
  sample_rates: [44_100, 48_000],
  bit_depths: [24],
  channels: [2],
  formats: ["wav"],
  name_pattern: "{project}_{title}_v{version}",
};
const NO_OBJECT_WITH_BOTH = [-14, "-14", [], {}, { target: -14 }];
const BAD_LIST = [null, "1", 5, {}, [null], ["1"], [0], [2, 2], [1.5]];

const setRules = ({ testApp, admin, home }: Fixtures, rules: object) =>
  testApp.callUntyped(admin, operations.setDeliveryRules, { params: { team_id: home.team }, body: { ...NO_RULES, ...rules } });
const check = async ({ testApp, member }: Fixtures, file_id: number) =>
  (await testApp.call(member, operations.checkDelivery, { params: { file_id }, query: {} })).response.data;
const inaccessibleTeams = (extra: object): EndpointCase["rejectedRequests"] => [
  ["a team of another organization", ({ foreign }) => ({ params: { team_id: foreign.team }, ...extra }), 404],
  ["a team that does not exist", () => ({ params: { team_id: 999_999 }, ...extra }), 404],
];

export const getDeliveryRules: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => {
    await setRules(fixtures, RULES);
    return { params: { team_id: fixtures.home.team } };
  },
  assertResponse: ({ data, fixtures: { home, admin } }) =>
    expect(data).toEqual({
      object: "delivery_rules",
      team_id: home.team,
      ...RULES,
      updated_at: expect.stringMatching(/^20.*Z$/),
      updated_by_account_id: admin.id,
    }),
  invalid: { "params.team_id": BAD_ID_IN_PATH },
  rejectedRequests: inaccessibleTeams({}),
  edgeCases: {
    "a team without rules has none": async ({ testApp, owner, apart }) =>
      expect((await testApp.call(owner, operations.getDeliveryRules, { params: { team_id: apart.team } })).response.data).toEqual({
        object: "delivery_rules",
        team_id: apart.team,
        ...NO_RULES,
        updated_at: null,
        updated_by_account_id: null,
      }),
  },
};

export const setDeliveryRules: EndpointCase = {
  caller: ({ admin }) => admin,
  valid: ({ home }) => ({ params: { team_id: home.team }, body: RULES }),
  assertResponse: ({ data, fixtures: { home, admin } }) => expect(data).toMatchObject({ team_id: home.team, ...RULES, updated_by_account_id: admin.id }),
  invalid: {
    "params.team_id": BAD_ID_IN_PATH,
    "body.loudness": [
      ...NO_OBJECT_WITH_BOTH,
      ...[null, "-14", 1, -71, -14.05].map((target) => ({ target, tolerance: 1 })),
      ...[null, "1", -0.1, 21, 0.25].map((tolerance) => ({ target: -14, tolerance })),
    ],
    "body.true_peak_max": ["-1", {}, 7, -31, -1.05],
    "body.sample_rates": [...BAD_LIST, [999], Array.from({ length: 13 }, (_, index) => 8_000 + index)],
    "body.bit_depths": [...BAD_LIST, [65]],
    "body.channels": [...BAD_LIST, [65]],
    "body.formats": [null, "wav", [null], ["WAV"], ["exe"], ["wav", "wav"]],
    "body.name_pattern": [...withoutNull(badLine(200)), "{artist}_{title}", "{}"],
    "body.if_updated_at": withoutNull(BAD_TIMESTAMP),
  },
  rejectedRequests: inaccessibleTeams({ body: RULES }),
  edgeCases: {
    "replaces nothing that the caller has not seen": async (fixtures) => {
      const set = async (rules: object) => (await setRules(fixtures, rules)) as { status: number; response: { data: DeliveryRules } };
      const seen = await set({ channels: [1] });
      fixtures.testApp.clock.advance(1_000);
      const { updated_at } = seen.response.data;
      expect((await set({ channels: [2], if_updated_at: updated_at })).status).toBe(200);
      for (const if_updated_at of [updated_at, null]) expect((await set({ channels: [8], if_updated_at })).status).toBe(409);
      const { testApp, owner, apart, home } = fixtures;
      expect((await testApp.call(owner, operations.getDeliveryRules, { params: { team_id: home.team } })).response.data.channels).toEqual([2]);
      const first = { params: { team_id: apart.team }, body: { ...NO_RULES, if_updated_at: null } };
      expect((await testApp.call(owner, operations.setDeliveryRules, first)).status).toBe(200);
    },
    "replaces all rules": async (fixtures) => {
      await setRules(fixtures, RULES);
      await setRules(fixtures, { channels: [1] });
      const { testApp, member, home } = fixtures;
      const { data } = (await testApp.call(member, operations.getDeliveryRules, { params: { team_id: home.team } })).response;
      expect(data).toMatchObject({ ...NO_RULES, channels: [1] });
    },
  },
};

export const checkDelivery: EndpointCase = {
  caller: ({ member }) => member,
  valid: async (fixtures) => {
    await setRules(fixtures, RULES);
    const file_id = await createProcessedFile(fixtures);
    await fixtures.testApp.call(fixtures.member, renameFile, { body: { file_id, name: `HOME_Intro ${file_id}_v2.wav` } });
    return { params: { file_id }, query: { version: "1" } };
  },
  assertResponse: ({ data, input }) => {
    const unmeasured = { measured: null, result: "not_measured", reason: "The file is too short or too quiet to be measured." };
    const passed = { result: "passed", reason: null };
    expect(data).toEqual({
      object: "delivery_check",
      file_id: Number(input.params?.["file_id"]),
      version: 1,
      result: "not_measured",
      pending: false,
      checks: [
        { rule: "loudness", expected: "\u221214.0 LUFS \u00b1 0.5 LU", ...unmeasured },
        { rule: "true_peak", expected: "at most \u22121.1 dBTP", ...unmeasured },
        { rule: "sample_rate", expected: "44.1 kHz or 48 kHz", measured: "48 kHz", ...passed },
        { rule: "bit_depth", expected: "24 bit", measured: "24 bit", ...passed },
        { rule: "channels", expected: "stereo", measured: "stereo", ...passed },
        { rule: "format", expected: "WAV", measured: "WAV", ...passed },
        { rule: "name", expected: "{project}_{title}_v{version}", measured: expect.stringMatching(/^HOME_Intro \d+_v2$/), ...passed },
      ],
    });
  },
  invalid: { "params.file_id": BAD_ID_IN_PATH, "query.version": BAD_ID_IN_PATH },
  rejectedRequests: [
    ...inaccessibleFilesInPath(),
    ["a folder", ({ home }) => ({ params: { file_id: home.root } }), 404],
    ["a version that does not exist", ({ home }) => ({ params: { file_id: home.file }, query: { version: "77" } }), 404],
  ],
  edgeCases: {
    "waits for the analysis": async (fixtures) => {
      await setRules(fixtures, { bit_depths: [24] });
      const reason = "The file is still being analyzed.";
      expect(await check(fixtures, await createFile(fixtures))).toMatchObject({ result: "not_measured", pending: true, checks: [{ reason }] });
    },
    "fails with the reason": async (fixtures) => {
      await setRules(fixtures, { sample_rates: [44_100] });
      const file = await createProcessedFile(fixtures);
      expect(await check(fixtures, file)).toMatchObject({ result: "failed", pending: false, checks: [{ measured: "48 kHz", reason: "Not 44.1 kHz" }] });
      await setRules(fixtures, {});
      expect(await check(fixtures, file)).toMatchObject({ result: "no_rules", checks: [] });
    },
  },
};
