import { createProject, history, join, write } from "../../fixtures/api.ts";
import { composer, menuItem, message, openMenu, railProject } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

test("a change offers what writing offers, and is still there after a look at another project", async ({
  house: { owner },
  pair: { ben, project },
  open,
}, info) => {
  const other = await createProject(owner, unique("Elsewhere", info.testId));
  const ida = await join(owner, unique("Ida", info.testId), "member", [project.id, other.id]);
  await write(ida, project.id, "listen");
  const page = await open(ida, `/projects/${project.id}/chat`);
  await openMenu(page, "listen");
  await menuItem(page, "Edit").click();
  const field = page.getByRole("textbox", { name: "Text of the message" });
  await field.press("End");
  await field.pressSequentially(" @");
  const option = page.getByRole("listbox", { name: "People" }).getByRole("option", { name: ben.name });
  await expect(option).toBeInViewport({ ratio: 1 });
  // As a screen reader does it: without a pointer.
  await option.dispatchEvent("click");
  await expect(field).toHaveValue(`listen @${ben.name} `);
  await expect(field).toBeFocused();

  await railProject(page, other.name).click();
  await expect(composer(page)).toHaveAccessibleName(`Message ${other.name}`);
  await railProject(page, project.name).click();
  await expect(field).toHaveValue(`listen @${ben.name} `);
  await field.press("Enter");
  await expect.poll(async () => (await history(ida, project.id)).at(-1)).toMatchObject({ body: `listen <@${ben.id}>`, mentions: [ben.id] });
  await expect(message(page, `listen @${ben.name}`)).toBeVisible();
});
