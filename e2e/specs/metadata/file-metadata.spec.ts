import { updateMetadataField } from "../../../contract/operations/metadata.ts";
import { call, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { createPair, createReleaseTemplate, fieldOf, loadNamedMetadata, metadataPanel, setMetadata } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { NETWORK_LOSS, statusError } from "../../fixtures/page-errors.ts";
import { railProject, selectOption } from "../../fixtures/pages.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";

const organization = shareOrganization();

test("the metadata of a file is edited in place, is saved as it should be, and shows on another person's page at once", async ({ open, network }) => {
  const { ana, ben, project } = await createPair(organization());
  const template = await createReleaseTemplate(organization().owner, project.team_id);
  const id = await createProcessedFile(organization(), ana, project, "nightdrive_mix.wav");
  const [page, benPage] = [await open(ana, `/files/${id}`), await open(ben, `/files/${id}`)];
  const panel = metadataPanel(page);
  const benPanel = metadataPanel(benPage);
  const field = (name: string) => panel.getByRole("textbox", { name, exact: true });
  const saved = () => loadNamedMetadata(ana, template, id);

  await test.step("a field of each type, by keyboard", async () => {
    await field("Artist").fill("Lina & Co");
    await field("Artist").press("Enter");
    await field("Take").fill("2,5");
    await field("Take").press("Tab");
    await selectOption(panel.getByRole("button", { name: /Edit$/ }), "Radio");
    await panel.getByLabel("Release date").fill("2026-12-04");
    await panel.getByLabel("Release date").press("Enter");
    await selectOption(panel.getByRole("button", { name: /Mix engineer$/ }), ben.name);
    await field("ISRC").fill("gbabc2600002");
    await field("ISRC").press("Tab");
    await expect(field("ISRC")).toHaveValue("GB-ABC-26-00002");
    await panel.getByRole("checkbox", { name: "Samples cleared" }).click();
    await expect.poll(saved).toEqual({
      Artist: "Lina & Co",
      Take: 2.5,
      Edit: fieldOf(template, "Edit").options[1]?.id,
      "Release date": "2026-12-04",
      "Mix engineer": ben.id,
      ISRC: "GB-ABC-26-00002",
      "Samples cleared": true,
    });
    await expectAccessible(page);
    await expectReadable(page);
  });

  await test.step("the other person's page has them, and what that person changes shows here", async () => {
    await expect(benPanel.getByRole("textbox", { name: "Artist" })).toHaveValue("Lina & Co");
    await expect(benPanel.getByRole("checkbox", { name: "Samples cleared" })).toBeChecked();
    await benPanel.getByRole("checkbox", { name: "Samples cleared" }).click();
    await expect(panel.getByRole("checkbox", { name: "Samples cleared" })).not.toBeChecked();
    await expect(panel.getByRole("button", { name: /Mix engineer/ })).toContainText(ben.name);
  });

  await test.step("what does not fit is said and not sent, and Escape brings the value back", async () => {
    const requests = network.recordRequests(page, /\/metadata$/);
    await field("ISRC").fill("GB-ABC");
    await field("ISRC").press("Enter");
    await expect(panel.getByText("Enter an ISRC: 12 characters, such as GB-ABC-26-00001.")).toBeVisible();
    await expect(field("ISRC")).toHaveAttribute("aria-invalid", "true");
    await field("ISRC").press("Escape");
    await expect(field("ISRC")).toHaveValue("GB-ABC-26-00002");
    await field("Take").fill("two");
    await field("Take").press("Enter");
    await expect(panel.getByText("Enter a number.")).toBeVisible();
    await field("Take").press("Escape");
    expect(requests.filter((request) => request.startsWith("PATCH"))).toEqual([]);
  });

  await test.step("a guest reads the metadata of somebody else's file, and a renamed field shows its new name", async () => {
    const gus = await joinByInvite(organization().owner, "Gus", "guest", [project.id]);
    const guestPage = await open(gus, `/files/${id}`);
    await expect(metadataPanel(guestPage)).toContainText("GB-ABC-26-00002");
    await expect(metadataPanel(guestPage)).toContainText("Radio");
    await expect(metadataPanel(guestPage).getByRole("textbox")).toHaveCount(0);
    await expectAccessible(guestPage);
    await call(organization().owner, updateMetadataField, { params: { field_id: fieldOf(template, "Artist").id }, body: { name: "Main artist" } });
    await expect(metadataPanel(guestPage)).toContainText("Main artist");
    await expect(panel.getByRole("textbox", { name: "Main artist" })).toHaveValue("Lina & Co");
  });
});

test("a change that somebody else was faster with, or that fails, is never lost and never overwrites unasked", async ({ open, network, pageErrors }) => {
  const { ana, ben, project } = await createPair(organization());
  const template = await createReleaseTemplate(organization().owner, project.team_id, "Second release");
  const id = await createProcessedFile(organization(), ana, project, "nightdrive_mix.wav");
  const page = await open(ana, `/files/${id}`);
  const panel = metadataPanel(page).getByRole("group", { name: "Second release" });
  const field = (name: string) => panel.getByRole("textbox", { name, exact: true });
  const saved = () => loadNamedMetadata(ana, template, id);
  pageErrors.allow(statusError(409));
  pageErrors.allow(NETWORK_LOSS);

  await test.step("of two people who change one field, the second one decides", async () => {
    await field("Artist").fill("Lina and Company");
    await setMetadata(ben, id, { [fieldOf(template, "Artist").id]: "Lina" });
    await field("Artist").press("Enter");
    await expect(panel.getByRole("alert")).toContainText("Someone else has set this to “Lina”.");
    await expect(field("Artist")).toHaveValue("Lina and Company");
    await panel.getByRole("button", { name: "Keep theirs" }).click();
    await expect(field("Artist")).toHaveValue("Lina");

    await field("Artist").fill("Lina and Company");
    await setMetadata(ben, id, { [fieldOf(template, "Artist").id]: "Lina B." });
    await field("Artist").press("Enter");
    await field("Artist").fill("Lina and Company Ltd.");
    await panel.getByRole("button", { name: "Use mine" }).click();
    await expect(panel.getByRole("alert")).toHaveCount(0);
    await expect.poll(async () => (await saved()).Artist).toBe("Lina and Company Ltd.");
  });

  await test.step("a change that fails says so and keeps what was typed, and a repeated one is saved", async () => {
    const failing = await network.fail(page, /\/metadata$/, { method: "PATCH" });
    await field("Artist").fill("Mia");
    await field("Artist").press("Enter");
    await expect(panel.getByText(/Can’t reach|Can't reach/)).toBeVisible();
    await expect(field("Artist")).toHaveValue("Mia");
    await failing.end();
    await field("Artist").press("Enter");
    await expect.poll(async () => (await saved()).Artist).toBe("Mia");
  });

  await test.step("a change that fails after its page was left is told on the next page", async () => {
    pageErrors.allow(/net::ERR_FAILED/);
    const isLeft = Promise.withResolvers<void>();
    await page.route(/\/metadata$/, async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback();
      await isLeft.promise;
      return route.abort();
    });
    await field("Artist").fill("Nobody");
    await railProject(page, project.name).click();
    await expect(page).toHaveURL(/\/chat$/);
    isLeft.resolve();
    await expect(page.getByText(/^Artist was not saved\. /)).toBeVisible();
    expect((await saved()).Artist).toBe("Mia");
  });

  await test.step("what is typed is saved when the page is left by a key, and told if it does not fit", async () => {
    await page.unrouteAll();
    await page.goBack();
    await field("Artist").fill("Zoe");
    await page.goForward();
    await expect.poll(async () => (await saved()).Artist).toBe("Zoe");
    await page.goBack();
    await expect(field("Artist")).toHaveValue("Zoe");
    await field("ISRC").fill("GB");
    await page.goForward();
    await expect(page.getByText("ISRC was not saved. Enter an ISRC: 12 characters, such as GB-ABC-26-00001.")).toBeVisible();
  });
});
