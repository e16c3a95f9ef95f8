import { createMessage } from "../../fixtures/api.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, rail } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a new name shows for others immediately, as author and in earlier mentions; a taken email shows an error on its field", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  await createMessage(ana, project.id, "who am I");
  await createMessage(ben, project.id, `ask <@${ana.id}> herself`);
  const benPage = await open(ben, `/projects/${project.id}/chat`);
  await expect(message(benPage, "who am I")).toContainText(ana.name);
  const page = await open(ana, "/settings/profile");
  await page.getByRole("textbox", { name: "Your name" }).fill(`${ana.name} Kovač`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(rail(page)).toContainText(`${ana.name} Kovač`);
  await expect(message(benPage, "who am I")).toContainText(`${ana.name} Kovač`);
  await expect(message(benPage, `ask @${ana.name} Kovač herself`)).toBeVisible();

  await test.step("a taken email shows an error on its field", async () => {
    pageErrors.allow(statusError(409));
    await page.getByRole("textbox", { name: "Email" }).fill(ben.email);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveAttribute("aria-invalid", "true");
  });
});
