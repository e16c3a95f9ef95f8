import { entry, filesPath } from "../../fixtures/files-view.ts";
import { sendFiles, setUnsureKey } from "../../fixtures/files.ts";
import { message } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a key that the analysis is not sure of has a question mark and candidates, until somebody sets it", async ({
  organization,
  pair: { ana, project },
  open,
}) => {
  const id = await createProcessedFile(organization, ana, project, "drone.wav");
  setUnsureKey(organization.service, id, ["E minor", "G major"]);
  await sendFiles(ana, project, [id], "Which key is it?");
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(message(page, "Which key is it?")).toContainText("E minor?, unsure");

  await page.goto(ana.url + filesPath(project));
  // Narrower lists have no column for it.
  await page.setViewportSize({ width: 1_440, height: 900 });
  const row = entry(page, "drone.wav");
  await expect(row).toContainText("E minor?, unsure");
  await expect(row).toHaveAttribute("aria-label", /, E minor, unsure, /);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("Unsure keys aren't included.")).toBeVisible();
  await page.goto(`${ana.url}${filesPath(project)}?key=E+minor`);
  await expect(page.getByText("No results")).toBeVisible();

  await page.goto(`${ana.url}/files/${id}`);
  const tags = page.getByRole("region", { name: "AI tags" });
  await expect(tags).toContainText("E minor?, unsure");
  await expect(tags).toContainText("or G major · 15% confidence");
  await tags.getByRole("button", { name: "Correct key" }).click();
  const form = tags.getByRole("form", { name: "Correct key" });
  await expect(form.getByRole("button", { name: "New key" })).toContainText("E minor");
  await form.getByRole("button", { name: "Save" }).click();
  await expect(tags).not.toContainText("unsure");
  await expect(tags.getByText("E minor", { exact: true })).toBeVisible();
});
