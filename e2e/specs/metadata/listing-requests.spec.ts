import { expectAccessible } from "../../fixtures/axe.ts";
import { upload } from "../../fixtures/files.ts";
import { entry, filesPath } from "../../fixtures/files-view.ts";
import { createPair, createReleaseTemplate, fieldOf, setMetadata } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";

const organization = shareOrganization();
const LISTING = /\/api\/v2\/projects\/\d+\/files\?/;
const TEMPLATES = "**/api/v2/teams/*/metadata-templates";

test("a folder is listed with its columns of metadata at once, and without them only if they are not to be had", async ({ open, network, pageErrors }) => {
  const { ana, project } = await createPair(organization());
  const template = await createReleaseTemplate(organization().owner, project.team_id);
  const fields = ["Artist", "Take", "Edit"].map((name) => fieldOf(template, name).id);
  const id = await upload(ana, project, "a.txt", "first");
  await setMetadata(ana, id, { [fields[0] ?? 0]: "Lina" });
  const page = await open(ana, "/icon.svg");
  const requests = network.recordRequests(page, LISTING);
  /** The fields of all listings that were requested. The live channel repeats the first one if it begins to follow the project only after it. */
  const requestedFields = () => [...new Set(requests.map((request) => new URL(request.split(" ")[1] ?? "").searchParams.get("fields")))];

  await test.step("with the columns of the team", async () => {
    await page.goto(ana.url + filesPath(project));
    await expect(entry(page, "a.txt")).toContainText("Lina");
    expect(requestedFields()).toEqual([fields.join(",")]);
  });

  await test.step("with columns that are known only after the folders", async () => {
    requests.length = 0;
    const templates = await network.pause(page, TEMPLATES);
    await page.goto(ana.url + filesPath(project));
    await expect(page.getByRole("button", { name: "Grid view" })).toBeVisible();
    await expect.poll(() => templates.urls.length).toBe(1);
    await expect(page.getByRole("status", { name: "Loading files" })).toBeVisible();
    expect(requests).toEqual([]);
    await templates.end();
    await expect(entry(page, "a.txt")).toContainText("Lina");
    expect(requestedFields()).toEqual([fields.join(",")]);
  });

  await test.step("as tiles, which have no columns", async () => {
    await page.getByRole("button", { name: "Grid view" }).click();
    await expect(entry(page, "a.txt")).toBeVisible();
    requests.length = 0;
    const templates = await network.pause(page, TEMPLATES);
    await page.goto(ana.url + filesPath(project));
    // Sooner than the client gives up the request for the fields.
    await expect(entry(page, "a.txt")).toBeVisible({ timeout: 10_000 });
    expect(requestedFields()).toEqual([null]);
    await templates.end();
    await page.getByRole("button", { name: "List view" }).click();
    await expect(entry(page, "a.txt")).toContainText("Lina");
  });

  await test.step("without columns, if the service cannot name the fields", async () => {
    requests.length = 0;
    pageErrors.allow(statusError(503));
    await network.replyWithProblem(page, TEMPLATES, 503, "Not now");
    await page.goto(ana.url + filesPath(project));
    await expect(entry(page, "a.txt")).toBeVisible();
    expect(requestedFields()).toEqual([null]);
    await expectAccessible(page);
  });
});
