import type { Page } from "@playwright/test";
import { listProjectNotificationSettings, updateProjectNotificationSettings } from "../../../contract/operations/notifications.ts";
import { call, createMessage, joinByInvite, type Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { createManyProjects } from "../../fixtures/many-projects.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { message, rail, railProject } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

const organizationOf = shareOrganization();
let scene: Awaited<ReturnType<typeof createManyProjects>> & { ben: Person };

test.beforeAll(async () => {
  const { owner } = organizationOf();
  const many = await createManyProjects(owner);
  const ben = await joinByInvite(
    owner,
    "Ben",
    "member",
    many.projects.map(({ id }) => id),
  );
  scene = { ...many, ben };
});

const icon = (page: Page) => page.locator("link[rel=icon]");
const bell = (page: Page) => rail(page).getByRole("link", { name: /^Inbox/ });

test("a mention in a project that is out of sight shows as a pill, in the title, on the icon and in the inbox, and is gone once it is read", async ({
  open,
}) => {
  const { owner } = organizationOf();
  const { ben, projects } = scene;
  const last = projects.at(-1)!;
  const page = await open(ben, "/settings/profile");
  const otherPage = await open(ben, "/notifications");
  await expect(railProject(page, last.name)).not.toBeInViewport();
  await expect(icon(page)).toHaveAttribute("href", "/icon.svg");

  await test.step("an unread message is counted in grey", async () => {
    await createMessage(owner, last.id, "The spot is up");
    await expect(page).toHaveTitle(/^\(1\) /);
    await expect(icon(page)).toHaveAttribute("href", "/icon-unread.svg");
    await expect(rail(page).getByRole("button", { name: "1 unread below" })).toBeVisible();
  });

  await test.step("a mention takes its place", async () => {
    await createMessage(owner, last.id, `Please approve it, <@${ben.id}>`);
    await expect(page).toHaveTitle(/^\(2\) /);
    await expect(icon(page)).toHaveAttribute("href", "/icon-mention.svg");
    await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
    await expect(otherPage.getByRole("main").getByRole("listitem").filter({ hasText: "Please approve it" })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step("the pill leads to the project, whose row has one badge", async () => {
    await rail(page).getByRole("button", { name: "1 mention below" }).click();
    await expect(railProject(page, last.name)).toBeInViewport({ ratio: 1 });
    await expect(railProject(page, last.name)).toBeFocused();
    await expect(railProject(page, last.name)).toHaveText(/@1$/);
    await expect(rail(page).getByRole("button", { name: /below$/ })).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(message(page, "Please approve it")).toBeVisible();
  });

  await test.step("what is read in the chat is read everywhere", async () => {
    await expect(page).toHaveTitle(/^[^(]/);
    await expect(icon(page)).toHaveAttribute("href", "/icon.svg");
    await expect(bell(otherPage)).toHaveAccessibleName("Inbox");
    await expect(icon(otherPage)).toHaveAttribute("href", "/icon.svg");
  });
});

test("what is marked as read in the inbox is read there, and an open project far down is in view after a reload", async ({ open }) => {
  const { owner } = organizationOf();
  const { ben, projects } = scene;
  const [first, far] = [projects[0]!, projects[30]!];
  await createMessage(owner, first.id, `One more, <@${ben.id}>`);
  const page = await open(ben, `/projects/${far.id}/chat`);
  const inbox = await open(ben, "/notifications");
  await expect(railProject(page, far.name)).toBeInViewport({ ratio: 1 });
  await expect(railProject(page, far.name)).toHaveAttribute("aria-current", "page");
  await expect(rail(page).getByRole("button", { name: "1 mention above" })).toBeVisible();
  await expect(bell(page)).toHaveAccessibleName("Inbox 1 unread");
  await inbox.getByRole("listitem").filter({ hasText: "One more" }).hover();
  await inbox.getByRole("listitem").filter({ hasText: "One more" }).getByRole("button", { name: "Mark as read" }).click();
  await expect(bell(page)).toHaveAccessibleName("Inbox");
  await page.reload();
  await expect(railProject(page, far.name)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Alt+ArrowUp");
  await expect(railProject(page, projects[29]!.name)).toBeInViewport({ ratio: 1 });
});

test("groups collapse and stay so, with their counts and the open project; the list shows only what is unread, and keys move through it", async ({ open }) => {
  const { owner } = organizationOf();
  const { ben, projects, groups } = scene;
  const [opened, unread, mentioned] = [projects[0]!, projects[1]!, projects[2]!];
  const page = await open(ben, `/projects/${opened.id}/chat`);
  const group = rail(page).getByRole("region", { name: groups[0]!.name });
  await group.getByRole("button", { name: groups[0]!.name, exact: true }).click();
  await expect(group.getByRole("link")).toHaveText([new RegExp(opened.name)]);
  await createMessage(owner, unread.id, "Hello");
  await expect(group.getByText("1 unread message", { exact: true })).toBeAttached();
  await createMessage(owner, mentioned.id, `Hello <@${ben.id}>`);
  await expect(group.getByText("@1")).toBeVisible();
  await page.reload();
  await expect(group.getByRole("link")).toHaveText([new RegExp(opened.name)]);

  await test.step("unread only", async () => {
    await rail(page).getByRole("button", { name: "Show unread only" }).click();
    await expect(rail(page).locator("[data-project]")).toHaveCount(3);
    await rail(page).getByRole("button", { name: "Show unread only" }).click();
  });

  await test.step("keys", async () => {
    await group.getByRole("button", { name: groups[0]!.name, exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(railProject(page, unread.name)).toBeFocused();
    await page.keyboard.type("805");
    await expect(railProject(page, "Client Spot 805")).toBeFocused();
    await page.keyboard.press("Home");
    await expect(group.getByRole("button", { name: groups[0]!.name, exact: true })).toBeFocused();
  });
});

test("at 900 pixels each tile of a group has another label, and one badge", async ({ open }) => {
  const { ben, projects } = scene;
  await createMessage(organizationOf().owner, projects[2]!.id, `Is it mixed, <@${ben.id}>?`);
  const page = await open(ben, `/projects/${projects[40]!.id}/chat`, { viewport: { width: 900, height: 900 } });
  const tiles = rail(page).locator("[data-tile]");
  await expect(tiles).toHaveCount(projects.length);
  const labels = await tiles.evaluateAll((elements) => elements.map((element) => element.getAttribute("data-tile")));
  expect(new Set(labels).size).toBe(projects.length);
  await expect(railProject(page, projects[40]!.name)).toBeInViewport({ ratio: 1 });
  await rail(page)
    .getByRole("button", { name: /mentions? above/ })
    .click();
  await expect(railProject(page, projects[2]!.name)).toBeInViewport({ ratio: 1 });
});

test("a project is muted from its header: it looks muted, counts only mentions, and the title and the icon of the tab do too", async ({ open }) => {
  const { owner } = organizationOf();
  const { ben } = scene;
  const { projects } = scene;
  const [muted, other] = [projects[5]!, projects[6]!];
  const page = await open(ben, `/projects/${muted.id}/chat`);
  await page.getByRole("button", { name: `Notifications of ${muted.name}` }).click();
  await expect(page.getByRole("menuitemradio", { name: /^Default/ })).toBeChecked();
  await page.getByRole("menuitem", { name: "Mute" }).click();
  await expect(railProject(page, muted.name).getByRole("img", { name: "Muted" })).toBeVisible();
  await railProject(page, other.name).click();
  const title = await page.title();
  await createMessage(owner, muted.id, "Hello");
  await createMessage(owner, other.id, "Arrives later");
  await expect(message(page, "Arrives later")).toBeVisible();
  await expect(railProject(page, `${muted.name} Muted`)).toHaveAccessibleName(`${muted.name} Muted`);
  await expect(page).toHaveTitle(title.replace(muted.name, other.name));
  await createMessage(owner, muted.id, `<@${ben.id}> hello?`);
  await expect(railProject(page, muted.name)).toHaveText(/@1$/);

  await test.step("mentions and replies only", async () => {
    await railProject(page, muted.name).click();
    await page.getByRole("button", { name: `Notifications of ${muted.name}` }).click();
    await page.getByRole("menuitemradio", { name: /^Mentions and replies/ }).click();
    await expect(railProject(page, muted.name).getByRole("img", { name: "Muted" })).toHaveCount(0);
    await page.getByRole("button", { name: `Notifications of ${muted.name}` }).click();
    await expect(page.getByRole("menuitemradio", { name: /^Mentions and replies/ })).toBeChecked();
    await page.keyboard.press("Escape");
  });

  await test.step("muting and unmuting keeps what was chosen kind by kind, and replacing that can be undone", async () => {
    await call(ben, updateProjectNotificationSettings, { params: { project_id: muted.id }, body: { kinds: { comment: { push: true }, task_due: null } } });
    const kinds = async () => (await call(ben, listProjectNotificationSettings, { query: {} })).data.find(({ project_id }) => project_id === muted.id)?.kinds;
    const custom = await kinds();
    const choose = async (role: "menuitem" | "menuitemradio", name: string | RegExp) => {
      await page.getByRole("button", { name: `Notifications of ${muted.name}` }).click();
      await page.getByRole(role, { name }).click();
    };
    await page.getByRole("button", { name: `Notifications of ${muted.name}` }).click();
    await expect(page.getByRole("menuitemradio", { name: /^Custom/ })).toBeChecked();
    await page.getByRole("menuitem", { name: "Mute" }).click();
    await choose("menuitem", "Unmute");
    await expect(railProject(page, muted.name).getByRole("img", { name: "Muted" })).toHaveCount(0);
    expect(await kinds()).toEqual(custom);
    await choose("menuitemradio", /^Default/);
    await expect.poll(kinds).toBeUndefined();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(kinds).toEqual(custom);
  });
});
