/** Lists the screenshots of agents: their list, the page of one, and the dialogs of both. */
import type { Page } from "@playwright/test";
import { dialog } from "../fixtures/pages.ts";
import { ana, emptyOwner, failRequests, fixedPath, fullShot, main, neverRespond, retryButton, type Shot, skeleton } from "./shot.ts";

const settingsPath = fixedPath("/settings/agents");
const AGENTS = "**/api/v2/agents?*";
const BOT = "Mix bot";
const TASK = "Announce approved mixes";
const openBot = (page: Page) => main(page).getByRole("link", { name: BOT }).click();
const taskRow = (page: Page) => main(page).getByText(TASK);
const onPage = (act: (page: Page) => Promise<void>) => ({
  async act(page: Page) {
    await openBot(page);
    await taskRow(page).waitFor();
    await act(page);
  },
});
const press = (name: string) => (page: Page) => main(page).getByRole("button", { name, exact: true }).click();
const choose = (menu: string, item: string) => async (page: Page) => {
  await press(menu)(page);
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};

const SUBSCRIPTION = {
  object: "event_subscription",
  id: 1,
  agent_id: 1,
  event_types: ["message.created", "file.created"],
  project_ids: null,
  url: "https://agent.example/events",
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: "2026-11-26T08:00:00.000Z",
  previous_secret_until: null,
  secret_hint: "kEE=",
  last_delivered_at: "2026-11-26T07:58:00.000Z",
  created_by_account_id: 1,
  created_at: "2026-11-01T08:00:00.000Z",
};
const PAUSED = {
  ...SUBSCRIPTION,
  id: 2,
  url: "https://render.example/a/long/path/for/what/happens",
  enabled: false,
  disabled_reason: "token_ended",
  failing_since: null,
};
const DELIVERY = { event_id: "e", is_test: false, subject: "", next_attempt_at: null, done_at: null, last_attempt: null, subscription_id: 1, project_id: 1 };
const DELIVERIES = (["pending", "delivered", "failed", "held"] as const).map((state, index) => ({
  ...DELIVERY,
  id: index + 1,
  event_type: "message.created",
  state,
  attempt_count: index,
  created_at: "2026-11-26T08:00:00.000Z",
}));
/** Two subscriptions with deliveries, which the scene's service could not send anywhere. */
async function showSubscriptions(page: Page): Promise<void> {
  await page.route("**/event-subscriptions", (route) => route.fulfill({ json: { object: "list", data: [SUBSCRIPTION, PAUSED] } }));
  await page.route("**/deliveries?*", (route) => route.fulfill({ json: { object: "list", data: DELIVERIES, next_cursor: null } }));
}

export const AGENT_SHOTS: Shot[] = [
  fullShot("settings-agents", settingsPath, (page) => main(page).getByRole("link", { name: BOT })),
  fullShot("settings-agents-new", settingsPath, (page) => dialog(page, "New agent"), { act: press("New agent") }),
  { view: "settings-agents", state: "empty", as: emptyOwner, path: settingsPath, ready: (page) => page.getByText("No agents yet") },
  { view: "settings-agents", state: "loading", as: ana, path: settingsPath, before: neverRespond(AGENTS), ready: skeleton },
  { view: "settings-agents", state: "error", as: ana, path: settingsPath, before: failRequests(AGENTS), ready: retryButton },
  fullShot("settings-agent", settingsPath, taskRow, { act: openBot }),
  fullShot("settings-agent-token", settingsPath, (page) => dialog(page, "New token"), onPage(press("New token"))),
  fullShot("settings-agent-task", settingsPath, (page) => dialog(page, `Edit “${TASK}”`), onPage(choose(`More actions for ${TASK}`, "Edit…"))),
  fullShot("settings-agent-schedule", settingsPath, (page) => dialog(page, "New task").getByLabel("Time zone"), {
    ...onPage(async (page) => {
      await press("New task")(page);
      await dialog(page, "New task")
        .getByRole("button", { name: /When something happens/ })
        .click();
      await page.getByRole("option", { name: "On a schedule" }).click();
    }),
    desktopOnly: true,
  }),
  fullShot("settings-agent-runs", settingsPath, (page) => dialog(page, `Runs of ${TASK}`).getByText("Posted a message."), onPage(press(`Runs of ${TASK}`))),
  fullShot("settings-agent-subscription", settingsPath, (page) => dialog(page, "New subscription"), onPage(press("New subscription"))),
  fullShot("settings-agent-subscriptions", settingsPath, (page) => main(page).getByText("agent.example/events"), {
    ...onPage((page) => main(page).getByText("agent.example/events").scrollIntoViewIfNeeded()),
    before: showSubscriptions,
  }),
  fullShot("settings-agent-deliveries", settingsPath, (page) => page.getByText("Held", { exact: true }), {
    ...onPage(press("Deliveries to agent.example/events")),
    before: showSubscriptions,
  }),
  fullShot("settings-agent-activity", settingsPath, (page) => main(page).getByText("Created a task"), {
    ...onPage((page) => main(page).getByText("Created a task").scrollIntoViewIfNeeded()),
  }),
  fullShot("settings-agent-undo", settingsPath, (page) => dialog(page, "Undo “Posted a message”?"), {
    ...onPage((page) =>
      main(page)
        .getByRole("button", { name: /^Undo: Posted a message/ })
        .click(),
    ),
    desktopOnly: true,
  }),
  fullShot("settings-agent-undo-run", settingsPath, (page) => dialog(page, "Undo everything this run did?").getByText("Posted a message"), {
    ...onPage(async (page) => {
      await press(`Runs of ${TASK}`)(page);
      await dialog(page, `Runs of ${TASK}`)
        .getByRole("button", { name: /^Undo… the run of/ })
        .click();
    }),
  }),
  fullShot("settings-agent-deleted", settingsPath, (page) => main(page).getByRole("heading", { name: "Deleted agent" }), {
    ...onPage(async (page) => {
      // The list of agents no longer has it, as after its deletion; its log is still there.
      await page.route(AGENTS, (route) => route.fulfill({ json: { object: "list", data: [], next_cursor: null } }));
      await page.reload();
    }),
  }),
  fullShot("settings-agent-delete", settingsPath, (page) => dialog(page, `Delete “${BOT}”?`), {
    ...onPage(choose(`More actions for ${BOT}`, "Delete agent…")),
    desktopOnly: true,
  }),
];
