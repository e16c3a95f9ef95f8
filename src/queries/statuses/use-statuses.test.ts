import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../app/create-client.ts";
import { holdRequests, renderHook } from "../hook.fixture.ts";
import { statusKeys, type TeamStatuses, useSetDefaultStatus } from "./use-statuses.ts";

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
  await expect.poll(() => client.queryClient.getQueryData<TeamStatuses>(statusKeys.team(1))).toEqual({ statuses: [], defaultId: 4 });
});
