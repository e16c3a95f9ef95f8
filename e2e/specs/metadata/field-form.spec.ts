import { createMetadataTemplate, listMetadataTemplates } from "../../../contract/operations/metadata.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { createPair, createReleaseTemplate } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { dialog, selectOption } from "../../fixtures/pages.ts";

const organization = shareOrganization();

test("the form of a field explains each type, and names a doubled option before anything is sent", async ({ open, network }) => {
  const { owner } = organization();
  const { project } = await createPair(organization());
  await createReleaseTemplate(owner, project.team_id, "Song");
  const page = await open(owner, "/settings/metadata");
  const requests = network.recordRequests(page, /\/metadata-templates\/\d+\/fields$/);
  await page.getByRole("button", { name: "Add field to Song" }).click();
  const form = dialog(page, "New field in Song");
  const type = form.getByRole("button", { name: /Type$/ });
  await expect(form.getByText("Any text, such as an artist or a note. The type can't be changed later.")).toBeVisible();
  await selectOption(type, "Person");
  await expect(form.getByText("Someone with access to the file's project.")).toBeVisible();
  await selectOption(type, "Choice");
  await form.getByRole("textbox", { name: "Name" }).fill("Mood");
  await form.getByRole("textbox", { name: "Option 1" }).fill("Warm");
  await form.getByRole("button", { name: "Add option" }).click();
  const second = form.getByRole("textbox", { name: "Option 2" });
  await second.fill(" warm");
  await expect(second).toHaveAttribute("aria-invalid", "true");
  await expect(form.getByText("There is already an option with this name.")).toHaveCount(1);
  await expectAccessible(page);
  await form.getByRole("textbox", { name: "Name" }).press("Enter");
  await expect(second).toBeFocused();
  expect(requests).toEqual([]);
  await second.fill("Cold");
  await expect(form.getByText("There is already an option with this name.")).toHaveCount(0);
  await second.press("Enter");
  await expect(page.getByText("Choice · Warm, Cold")).toBeVisible();
  expect(requests).toHaveLength(1);
});

test("templates are put in order by arrow keys and by dragging, and each move shows on another page", async ({ open }) => {
  const { owner } = organization();
  const { ana, project } = await createPair(organization());
  const loadNames = async () => (await call(owner, listMetadataTemplates, { params: { team_id: project.team_id } })).data.map(({ name }) => name);
  for (const name of ["First", "Second", "Third"])
    await call(owner, createMetadataTemplate, { params: { team_id: project.team_id }, body: { name, fields: [{ name: "Note", type: "text" }] } });
  const others = (await loadNames()).slice(0, -3);
  const [page, anaPage] = [await open(owner, "/settings/metadata"), await open(ana, "/settings/metadata")];
  await expect(anaPage.getByRole("heading", { name: "Third" })).toBeVisible();
  const shown = async () => (await anaPage.getByRole("main").getByRole("heading", { level: 2 }).allTextContents()).slice(-3);
  await page.getByRole("button", { name: "Reorder", exact: true }).press("Enter");
  const order = dialog(page, "Order of templates");
  const handle = (name: string) => order.getByRole("button", { name: new RegExp(`^Move ${name},`) });
  await expectAccessible(page);

  await test.step("key presses faster than the service each count", async () => {
    await handle("Third").focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect(handle("Third")).toBeFocused();
    await expect.poll(loadNames).toEqual([...others, "Third", "First", "Second"]);
    await expect.poll(shown).toEqual(["Third", "First", "Second"]);
  });

  await test.step("a row is dragged by its handle", async () => {
    const [from, to] = [await handle("Third").boundingBox(), await handle("Second").boundingBox()];
    if (!from || !to) throw new Error("The rows are shown");
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, to.y + 12, { steps: 4 });
    await page.mouse.up();
    await expect.poll(loadNames).toEqual([...others, "First", "Second", "Third"]);
    await expect.poll(shown).toEqual(["First", "Second", "Third"]);
  });

  await order.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: "Reorder", exact: true })).toBeFocused();
});
