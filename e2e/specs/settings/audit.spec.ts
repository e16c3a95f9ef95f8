import { createToken, updateAccount } from "../../../contract/operations/accounts.ts";
import { deleteMessage } from "../../../contract/operations/messages.ts";
import { call, createMessage, createProject, joinByInvite, signIn } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { selectOption } from "../../fixtures/pages.ts";

const organization = shareOrganization();

test("an owner reads who signed in and who changed what, filters it, and opens what an entry is about", async ({ open, network, pageErrors }) => {
  const { owner } = organization();
  const project = await createProject(owner, "Nightdrive EP");
  const ben = await joinByInvite(owner, "Ben Audit", "member", [project.id]);
  const { id } = await createMessage(ben, project.id, "A text that no log may contain");
  await call(owner, deleteMessage, { params: { project_id: project.id, message_id: id } });
  await call(ben, updateAccount, { body: { username: "Ben Renamed" } });
  await call(ben, createToken, { body: { name: "Stem exporter", scopes: ["chat:read"] } });
  for (let index = 0; index < 60; index += 1) await signIn(ben.url, ben.email);

  const page = await open(owner, "/settings/profile");
  const failure = await network.replyWithProblem(page, "**/api/v2/audit*", 403, "Only owners can read the audit log.");
  pageErrors.allow(statusError(403));
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Audit log" }).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("alert")).toBeVisible();
  await failure.end();
  await main.getByRole("button", { name: "Try again" }).click();

  const entries = main.getByRole("list").getByRole("listitem");
  await expect(entries).toHaveCount(50);
  await expect(entries.first()).toContainText("Ben Renamed signed in");
  await main.getByRole("button", { name: "Show older" }).click();
  await expect(entries.filter({ hasText: "created an API token" })).toContainText("Stem exporter");
  await expect(entries.filter({ hasText: "changed their username" })).toContainText("Ben Audit → Ben Renamed");
  await expect(main).not.toContainText("A text that no log may contain");
  await expectAccessible(page);

  await selectOption(main.getByRole("button", { name: /Action$/ }), "Messages and comments");
  await expect(page).toHaveURL(/group=conversation/);
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText("deleted another person's message");
  await expect(entries).toContainText("Ben Renamed");
  await selectOption(main.getByRole("button", { name: /Person$/ }), "Ben Renamed");
  await expect(main.getByText("No entries match these filters")).toBeVisible();
  await expectAccessible(page);
  await main.getByRole("button", { name: "Clear filters" }).click();
  await expect(entries.nth(49)).toBeVisible();
  await selectOption(main.getByRole("button", { name: /Action$/ }), "Messages and comments");
  await entries.getByRole("link", { name: "Nightdrive EP" }).click();
  await expect(page).toHaveURL(new RegExp(`/projects/${project.id}/chat/${id}$`));
});

test("the audit log fits on a phone, and admins have none", async ({ open }) => {
  const { owner } = organization();
  const page = await open(owner, "/settings/audit");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  expect(await page.evaluate(() => document.scrollingElement!.scrollWidth <= innerWidth)).toBe(true);
  await page.reload();
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Audit log" })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);

  const admin = await joinByInvite(owner, "Ada Admin", "admin");
  const adminPage = await open(admin, "/settings/members");
  await expect(adminPage.getByRole("button", { name: "Invite", exact: true })).toBeVisible();
  await expect(adminPage.getByRole("link", { name: "Audit log" })).toHaveCount(0);
});
