import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { holdRequests, renderHook } from "../hook.fixture.ts";
import { statusKeys, type TeamStatuses } from "./cache-updates.ts";
import { statusAfterNewVersion, useSetDefaultStatus } from "./use-statuses.ts";

afterEach(() => vi.unstubAllGlobals());

test("of two default statuses chosen in a row, the second is sent after the first is saved, so that it wins", async () => {
  const client = createClient();
  const requests = holdRequests();
  const { mutate } = renderHook(client, () => useSetDefaultStatus(1));
  mutate(2);
  mutate(4);
  // Waits until both would have been sent.
  await new Promise((resolve) => setTimeout(resolve));
  expect(requests.bodies).toEqual([{ status_id: 2 }]);
  requests.respond({ object: "list", data: [], default_status_id: 2 });
  await expect.poll(() => requests.bodies).toEqual([{ status_id: 2 }, { status_id: 4 }]);
  requests.respond({ object: "list", data: [], default_status_id: 4 });
  await expect
    .poll(() => client.queryClient.getQueryData<TeamStatuses>(statusKeys.team(1)))
    .toEqual({ statuses: [], defaultId: 4, newVersionResetsStatus: null });
});

test("a new version resets a status to that of new uploads, or else to the first, unless the team has switched that off", () => {
  const [first, second, third] = [1, 2, 3].map((id) => ({ id, title: `Status ${id}`, color: id, position: id }));
  const team: TeamStatuses = { statuses: [first!, second!, third!], defaultId: null, newVersionResetsStatus: true };
  const after = (changes: Partial<TeamStatuses>, status = third!) => statusAfterNewVersion(status, { ...team, ...changes })?.id ?? null;
  expect([after({}), after({ defaultId: 2 }), after({}, first), after({ defaultId: 3 })]).toEqual([1, 2, null, null]);
  expect([after({ newVersionResetsStatus: false }), after({ newVersionResetsStatus: null }), after({ statuses: [] })]).toEqual([null, null, null]);
  expect([statusAfterNewVersion(null, team), statusAfterNewVersion(third!, undefined)]).toEqual([null, null]);
});
