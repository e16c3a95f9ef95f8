import { listMembers } from "../../../contract/operations/accounts.ts";
import type { Demo } from "../../../contract/operations/demo.ts";
import { call, joinByInvite, PASSWORD } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, rail } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";

/** Of this file alone, because its owner steps down. */
const ownOrganization = shareOrganization();

test("an owner renames the organization, and hands it to somebody else in one step", async ({ open, pageErrors }) => {
  pageErrors.allow(statusError(403));
  const { owner } = ownOrganization();
  const ana = await joinByInvite(owner, "Ana", "member", []);
  const page = await open(owner, "/settings/organization");
  await expect(page.getByRole("navigation", { name: "Settings" }).getByRole("group", { name: "Organization" })).toContainText("General");
  const name = page.getByRole("textbox", { name: "Organization name" });
  await name.fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(name).toHaveAttribute("aria-invalid", "true");
  await name.fill("Signal Path Studios");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(rail(page)).toContainText("Signal Path Studios");
  await expectAccessible(page);

  await page.goto(`${owner.url}/settings/members`);
  await page.getByRole("button", { name: `More for ${ana.name}` }).click();
  await page.getByRole("menuitem", { name: "Transfer ownership…" }).click();
  const transfer = dialog(page, `Make ${ana.name} an owner?`);
  await expect(transfer.getByRole("checkbox", { name: "Step down as owner" })).toBeChecked();
  await expectAccessible(page);
  await transfer.getByLabel("Your password", { exact: true }).fill("not my password at all");
  await transfer.getByRole("button", { name: "Transfer ownership" }).click();
  await expect(transfer.getByLabel("Your password", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await transfer.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await transfer.getByRole("button", { name: "Transfer ownership" }).click();
  await expect(transfer).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: ana.name })).toContainText("Owner");
  // What only owners see is gone without a reload.
  await expect(page.getByRole("link", { name: "Audit log" })).toHaveCount(0);
  const roles = (await call(ana, listMembers)).data.map(({ id, role }) => [id, role]);
  expect(new Map(roles as [number, string][]).get(owner.id)).toBe("admin");
});

test("the demo is removed after a confirmation that lists what goes, and its progress is shown", async ({ organization: { owner }, open }) => {
  const contents = {
    projects: ["Aurora, reel 3", "Nightdrive EP"],
    groups: ["EPs"],
    people: ["Ana Kovač", "Ben Okafor"],
    agents: ["Mix bot"],
    metadata_templates: ["Release"],
    delivery_rules: true,
    files: 31,
    messages: 120,
    files_added_by_others: 0,
    messages_added_by_others: 2,
  };
  const done: Demo = { state: "done", possible: false, step: null, progress: 1, project_id: 1, failure: null, contents };
  let demo: Demo = done;
  const page = await open(owner, "/icon.svg");
  await page.route("**/api/v2/demo", (route) => {
    if (route.request().method() === "DELETE") demo = { ...done, state: "removing", progress: 0.4, contents: null };
    return route.fulfill({ json: { object: "demo", data: demo } });
  });
  await page.goto(`${owner.url}/settings/organization`);
  await expect(page.getByText("Contains 2 projects, 2 people, 31 files and 120 messages.")).toBeVisible();
  await page.getByRole("button", { name: "Remove demo" }).click();
  const confirmation = dialog(page, "Remove the demo?");
  for (const text of ["Nightdrive EP", "Ben Okafor", "Mix bot", "Metadata template “Release”", "2 messages that your people added"])
    await expect(confirmation).toContainText(text);
  await expectAccessible(page);
  await confirmation.getByRole("button", { name: "Remove demo" }).click();
  await expect(confirmation).toHaveCount(0);
  await expect(page.getByRole("progressbar", { name: "Removing the demo" })).toHaveAttribute("aria-valuenow", "40");
  await expectAccessible(page);
  demo = { ...done, state: "none", possible: false, contents: null };
  await expect(page.getByText("This organization has no demo.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Demo" })).toBeFocused();
});
