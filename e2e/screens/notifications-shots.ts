/** Lists the screenshots of notifications: the list, its settings, and the button that watches a file. */
import type { Page } from "@playwright/test";
import { selectOption } from "../fixtures/pages.ts";
import { ana, emptyOwner, failRequests, fixedPath, fullShot, main, neverRespond, retryButton, skeleton, type Shot } from "./shot.ts";

const LIST = "**/api/v2/notifications?*limit=30*";
const SETTINGS = "**/api/v2/notification-settings";
const listPath = fixedPath("/notifications");
const settingsPath = fixedPath("/settings/notifications");
const firstRow = (page: Page) => main(page).getByRole("listitem").first();
const quietTimes = (page: Page) => main(page).getByRole("heading", { name: "Quiet times" });

export const NOTIFICATIONS_SHOTS: Shot[] = [
  fullShot("notifications", listPath, firstRow),
  { view: "notifications", state: "unread", as: ana, path: fixedPath("/notifications?show=unread"), ready: firstRow },
  {
    view: "notifications",
    state: "menu",
    as: ana,
    path: listPath,
    act: (page) => firstRow(page).getByRole("button", { name: "More actions for this notification" }).click(),
    ready: (page) => page.getByRole("menuitem").first(),
  },
  { view: "notifications", state: "empty", as: emptyOwner, path: listPath, ready: (page) => page.getByText("You're all caught up") },
  { view: "notifications", state: "loading", as: ana, path: listPath, before: neverRespond(LIST), ready: skeleton },
  { view: "notifications", state: "error", as: ana, path: listPath, before: failRequests(LIST), ready: retryButton },
  fullShot("settings-notifications", settingsPath, quietTimes),
  {
    view: "settings-notifications",
    state: "quiet",
    as: ana,
    path: settingsPath,
    act: async (page) => {
      await main(page).getByRole("checkbox", { name: "Do not disturb every day" }).check();
      await main(page).getByLabel("From").scrollIntoViewIfNeeded();
    },
    ready: (page) => main(page).getByLabel("Until"),
  },
  {
    view: "settings-notifications",
    state: "project",
    as: ana,
    path: settingsPath,
    act: async (page) => {
      await selectOption(main(page).getByRole("button", { name: "Add a project" }), "Podcast masters");
      await main(page).getByRole("group", { name: "Notifications of Podcast masters" }).scrollIntoViewIfNeeded();
    },
    ready: (page) => main(page).getByRole("group", { name: "Notifications of Podcast masters" }),
  },
  { view: "settings-notifications", state: "loading", as: ana, path: settingsPath, before: neverRespond(SETTINGS), ready: skeleton },
  { view: "settings-notifications", state: "error", as: ana, path: settingsPath, before: failRequests(SETTINGS), ready: retryButton },
];
