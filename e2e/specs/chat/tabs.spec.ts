import { addProjectMember } from "../../../contract/operations/projects.ts";
import { call, createProject, loadMessages, createMessage } from "../../fixtures/api.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, expectSent, message, newTab, railProject, send } from "../../fixtures/pages.ts";
import { expect, test, uniqueName } from "../../fixtures/test.ts";

test("two tabs of one person stay in sync: drafts, messages, unread counts, theme and sign-in", async ({
  organization: { owner },
  pair: { ana, ben, project },
  open,
  pageErrors,
}, info) => {
  const other = await createProject(owner, uniqueName("Elsewhere", info.testId));
  await call(owner, addProjectMember, { params: { project_id: other.id }, body: { account_id: ana.id } });
  const first = await open(ana, `/projects/${project.id}/chat`, { colorScheme: "dark" });
  const second = await newTab(first, first.url());
  await second.emulateMedia({ colorScheme: "dark" });
  await expect(composer(first)).toBeVisible();
  await expect(composer(second)).toBeVisible();

  await test.step("drafts and messages show in both tabs", async () => {
    await composer(first).fill("half a sentence");
    await expect(composer(second)).toHaveValue("half a sentence");
    await composer(second).fill("");
    await expect(composer(first)).toHaveValue("");
    await send(first, "from the first tab");
    await send(second, "from the second tab");
    await createMessage(ben, project.id, "from somebody else");
    for (const tab of [first, second]) {
      for (const from of ["the first tab", "the second tab", "somebody else"]) await expectSent(tab, `from ${from}`);
    }
    expect(await loadMessages(ana, project.id)).toHaveLength(3);
  });

  await test.step("a message read in one tab is read in the other", async () => {
    for (const tab of [first, second]) {
      await railProject(tab, other.name).click();
      await expect(composer(tab)).toHaveAccessibleName(`Message ${other.name}`);
    }
    await createMessage(ben, project.id, "news");
    await expect(railProject(second, `${project.name} 1 unread message`)).toBeVisible();
    await expect(second).toHaveTitle(/^\(1\) /);
    await first.bringToFront();
    await railProject(first, project.name).click();
    await expect(message(first, "news")).toBeInViewport();
    await expect(railProject(second, project.name)).toHaveAccessibleName(project.name);
  });

  await test.step("a light theme chosen in one tab is light in the other", async () => {
    await expect(second.locator("html")).toHaveAttribute("data-theme", "dark");
    await first.goto(`${ana.url}/settings/profile`);
    await first.getByRole("radio", { name: "Light" }).check();
    await expect(second.locator("html")).toHaveAttribute("data-theme", "light");
  });

  await test.step("signing out in one tab signs out the other", async () => {
    pageErrors.allow(statusError(401));
    await first.getByRole("main").getByRole("button", { name: "Sign out" }).click();
    await expect(second.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });
});
