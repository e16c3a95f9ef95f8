import { createInviteLink, PASSWORD } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog, expectSent, message, railProject, send } from "../../fixtures/pages.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

test("an owner copies an invite link, somebody joins with it in a second browser, and both chat", async ({
  organization: { owner },
  pair: { project },
  open,
}, info) => {
  const page = await open(owner, "/settings/members", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await dialog(page, "Invite someone").getByRole("checkbox", { name: project.name }).check();
  await page.getByRole("button", { name: "Create link" }).click();
  const readyDialog = dialog(page, "Invite created");
  // "Copied" is shown for some seconds only.
  await Promise.all([expect(readyDialog.getByRole("button", { name: "Copied" })).toBeVisible(), readyDialog.getByRole("button", { name: "Copy" }).click()]);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(await readyDialog.getByRole("textbox", { name: "Invite link" }).inputValue());
  await readyDialog.getByRole("button", { name: "Done" }).click();
  await railProject(page, project.name).click();

  const second = await open(null, link);
  await expect(second.getByRole("heading", { name: "Join Northlight Audio" })).toBeVisible();
  await expect(second.getByRole("main")).toContainText(owner.name);
  await expect(second.getByRole("main")).toContainText(project.name);
  const name = uniqueName("Cleo", info.testId);
  await second.getByRole("textbox", { name: "Your name" }).fill(name);
  await second.getByRole("textbox", { name: "Email" }).fill(`${name.replaceAll(" ", ".")}@talkback.test`);
  await second.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await second.getByRole("button", { name: "Join" }).click();
  await expect(second).toHaveURL(`${owner.url}/projects/${project.id}/chat`);

  await send(second, "I am in");
  await expectSent(second, "I am in");
  await expect(message(page, "I am in")).toContainText(name);
  await send(page, "Welcome");
  await expect(message(second, "Welcome")).toContainText(owner.name);
});

test("an invite works once, with a free name, and not after it is revoked; a person added to a project sees it appear", async ({
  organization: { owner },
  pair: { project },
  open,
  pageErrors,
  createPerson,
}, info) => {
  const existingPerson = await createPerson("Taken");
  const name = uniqueName("Gil", info.testId);
  const email = `${name.replaceAll(" ", ".")}@talkback.test`;
  const [link, withdrawnLink] = [await createInviteLink(owner, "member", [], email), await createInviteLink(owner, "member", [], `late.${email}`)];
  const inviteePage = await open(null, link);
  await test.step("a taken name shows an error on its field, and the link still works", async () => {
    pageErrors.allow(statusError(409));
    await expect(inviteePage.getByRole("button", { name: "Join" })).toBeVisible();
    await expectAccessible(inviteePage);
    await inviteePage.getByRole("textbox", { name: "Your name" }).fill(existingPerson.name.toUpperCase());
    await inviteePage.getByRole("textbox", { name: "Email" }).fill(email);
    await inviteePage.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await inviteePage.getByRole("button", { name: "Join" }).click();
    await expect(inviteePage.getByRole("textbox", { name: "Your name" })).toHaveAttribute("aria-invalid", "true");
    await inviteePage.getByRole("textbox", { name: "Your name" }).fill(name);
    await inviteePage.getByRole("button", { name: "Join" }).click();
    await expect(inviteePage.getByRole("main").getByText("No projects yet")).toBeVisible();
  });

  const page = await open(owner, "/settings/members");
  await test.step("an invite is revoked", async () => {
    const row = page.getByRole("listitem").filter({ hasText: `For late.${email}` });
    await row.getByRole("button", { name: "Revoke" }).click();
    await expect(row).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Invite", exact: true })).toBeFocused();
  });

  await test.step("a revoked or used link shows that it is invalid, and a link to sign in", async () => {
    pageErrors.allow(statusError(404));
    const latePage = await open(null, withdrawnLink);
    await expect(latePage.getByRole("heading", { name: "This invite is no longer valid" })).toBeVisible();
    await latePage.goto(`${owner.url}/sign-in`);
    await expect(latePage.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await latePage.goto(link);
    await expect(latePage.getByRole("heading", { name: "This invite is no longer valid" })).toBeVisible();
    await expect(latePage.getByRole("link", { name: "Go to sign-in" })).toBeVisible();
  });

  await test.step("a person added to a project sees it appear automatically", async () => {
    await page.goto(`${owner.url}/projects/${project.id}/members`);
    await page.getByRole("button", { name: "Add people" }).first().click();
    await page.getByRole("button", { name: `Add ${name}` }).click();
    await expect(railProject(inviteePage, project.name)).toBeVisible();
  });
});
