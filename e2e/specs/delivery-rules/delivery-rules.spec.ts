import { renameFile } from "../../../contract/operations/files.ts";
import { call, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible, expectReadable } from "../../fixtures/axe.ts";
import { deliveryPanel, loadRules, setRules } from "../../fixtures/delivery-rules.ts";
import { upload, waitUntilProcessed } from "../../fixtures/files.ts";
import { createPair } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { createProcessedFile, createProcessedVersion } from "../../fixtures/processed-files.ts";

const organization = shareOrganization();

test("an owner sets rules by keyboard, a mix fails them, and passes once the rules or its name change, live on a member's page", async ({ open }) => {
  const { owner } = organization();
  const { ana, project } = await createPair(organization());
  const id = await createProcessedFile(organization(), ana, project, "nightdrive mix.wav");
  const page = await open(owner, `/files/${id}`);
  const memberPage = await open(ana, `/files/${id}`);
  const main = page.getByRole("main");
  const panel = deliveryPanel(memberPage);

  await test.step("without rules, those who can set them are led there, and nobody else sees the section", async () => {
    await expect(memberPage.getByRole("heading", { name: "About this file" })).toBeVisible();
    await expect(panel).toHaveCount(0);
    await deliveryPanel(page).getByRole("link", { name: "Set delivery rules" }).press("Enter");
    await expect(main.getByRole("heading", { name: "Delivery rules" })).toBeVisible();
    await expect(main.getByRole("button", { name: "Save rules" })).toBeDisabled();
  });

  await test.step("a press fills in streaming masters, which can be changed before they are saved", async () => {
    await main.getByRole("button", { name: /^Streaming masters/ }).press("Enter");
    await expect(main.getByLabel("Integrated loudness (LUFS)")).toHaveValue("−14");
    await expect(main.getByText("Unsaved changes")).toBeVisible();
    expect((await loadRules(owner, project.team_id)).updated_at).toBeNull();
    await main.getByLabel("Integrated loudness (LUFS)").fill("-60,5");
    await main.getByLabel("Tolerance (± LU)").fill("0.5");
    await main.getByRole("checkbox", { name: "16 bit" }).press("Space");
    await main.getByRole("button", { name: "Insert {project}" }).press("Enter");
    await expect(main.getByLabel("File name")).toBeFocused();
    await page.keyboard.type("_v?");
    await expect(main.getByText("For example: Night Drive_va")).toBeVisible();
    await expectAccessible(page);
    await expectReadable(page);
    await page.keyboard.press("Enter");
    await expect(main.getByText("Saved.")).toBeVisible();
    expect(await loadRules(owner, project.team_id)).toMatchObject({
      loudness: { target: -60.5, tolerance: 0.5 },
      true_peak_max: -1,
      bit_depths: [16, 24],
      channels: [2],
      formats: ["wav", "flac"],
      name_pattern: "{project}_v?",
    });
  });

  await test.step("the member's page shows at once what fails and by how much", async () => {
    await expect(panel.getByRole("status")).toHaveText(/^2 of 7 checks fail$/);
    const loudness = panel.getByRole("listitem").filter({ hasText: "Loudness" });
    await expect(loudness).toContainText(/−\d+\.\d LUFS, wanted −60\.5 LUFS ± 0\.5 LU\d+\.\d LU too loud/);
    await expect(loudness.getByRole("img", { name: "Failed" })).toBeVisible();
    await expect(panel.getByRole("listitem").filter({ hasText: "Bit depth" }).getByRole("img", { name: "Passed" })).toBeVisible();
    await expect(panel.getByRole("link")).toHaveCount(0);
    await expectAccessible(memberPage);
    await expectReadable(memberPage);
  });

  await test.step("the header's badge leads to the checks by keyboard", async () => {
    await memberPage.getByRole("button", { name: "2 of 7 checks fail" }).press("Enter");
    await expect(panel.getByRole("heading", { name: "Delivery check" })).toBeFocused();
    await expect(panel.getByRole("heading", { name: "Delivery check" })).toBeInViewport();
  });

  await test.step("a new name passes its rule, changed rules the others", async () => {
    await call(ana, renameFile, { body: { file_id: id, name: `${project.name}_v3.wav` } });
    await expect(panel.getByRole("status")).toHaveText("1 of 7 checks fail");
    await main.getByLabel("Integrated loudness (LUFS)").fill("");
    await main.getByLabel("Tolerance (± LU)").fill("");
    await main.getByRole("button", { name: "Save rules" }).click();
    await expect(panel.getByRole("status")).toHaveText("All 6 checks pass");
    await expect(memberPage.getByRole("button", { name: "All 6 checks pass" })).toBeVisible();
  });

  await test.step("without any rule the section is gone", async () => {
    await main.getByRole("button", { name: "Remove all rules" }).click();
    await main.getByRole("button", { name: "Save rules" }).click();
    await expect(panel).toHaveCount(0);
  });
});

test("bad input is told beside its field, unsaved input is not lost without a word, and what others save meanwhile is not overwritten unseen", async ({
  open,
  pageErrors,
}) => {
  const { owner } = organization();
  const { project } = await createPair(organization());
  const admin = await joinByInvite(owner, "Ada", "admin", []);
  await setRules(owner, project.team_id, { true_peak_max: -1, sample_rates: [32_000] });
  const page = await open(admin, "/settings/delivery-rules");
  const main = page.getByRole("main");
  const save = main.getByRole("button", { name: "Save rules" });
  const peak = main.getByLabel("Highest true peak (dBTP)");

  await test.step("bad input is told and not sent", async () => {
    await expect(main.getByRole("checkbox", { name: "32 kHz" })).toBeChecked();
    await peak.fill("-1.05");
    await main.getByLabel("Integrated loudness (LUFS)").fill("14");
    await main.getByLabel("File name").fill("{artist}_*");
    await save.click();
    await expect(main.getByText("Enter a number from −70 to 0, with at most one decimal place.")).toBeVisible();
    await expect(main.getByText("Enter a number from 0 to 20, with at most one decimal place.")).toBeVisible();
    await expect(main.getByText("Enter a number from −30 to 6, with at most one decimal place.")).toBeVisible();
    await expect(main.getByText(/^File name must not contain \{artist\}/)).toBeVisible();
    await expect(main.getByLabel("Integrated loudness (LUFS)")).toBeFocused();
    await expectAccessible(page);
    expect(await loadRules(owner, project.team_id)).toMatchObject({ true_peak_max: -1, name_pattern: null });
    await main.getByRole("button", { name: "Discard changes" }).click();
    await expect(peak).toHaveValue("−1");
    await expect(main.getByText(/^Enter a number/)).toHaveCount(0);
  });

  await test.step("leaving asks before unsaved changes are lost", async () => {
    await peak.fill("-2");
    await main.getByRole("link", { name: "Profile" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard unsaved changes?" });
    await expect(dialog.getByRole("button", { name: "Keep editing" })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect(peak).toHaveValue("-2");
  });

  await test.step("what others save shows in untouched fields, and both are saved", async () => {
    await setRules(owner, project.team_id, { true_peak_max: -3, channels: [2] });
    await expect(main.getByText("Someone else has changed these rules.")).toBeVisible();
    await expect(main.getByRole("checkbox", { name: "Stereo" })).toBeChecked();
    await expect(peak).toHaveValue("-2");
    await save.click();
    await expect(main.getByText("Saved.")).toBeVisible();
    await expect(main.getByText("Someone else has changed these rules.")).toHaveCount(0);
    expect(await loadRules(owner, project.team_id)).toMatchObject({ true_peak_max: -2, channels: [2], sample_rates: [] });
  });

  await test.step("rules that were saved in the moment before are not overwritten either", async () => {
    pageErrors.allow(statusError(409));
    await peak.fill("-5");
    await page.route(
      "**/api/v2/teams/*/delivery-rules",
      async (route) => {
        if (route.request().method() === "PUT") await setRules(owner, project.team_id, { true_peak_max: -6, channels: [1] });
        await route.fallback();
      },
      { times: 1 },
    );
    await save.click();
    await expect(main.getByText("Someone else has changed these rules.")).toBeVisible();
    await expect(main.getByRole("checkbox", { name: "Mono" })).toBeChecked();
    await expect(peak).toHaveValue("-5");
    expect((await loadRules(owner, project.team_id)).true_peak_max).toBe(-6);
    await save.click();
    await expect(main.getByText("Saved.")).toBeVisible();
    expect(await loadRules(owner, project.team_id)).toMatchObject({ true_peak_max: -5, channels: [1] });
  });

  await test.step("once saved or discarded, the page is left without a question", async () => {
    await main.getByRole("link", { name: "Profile" }).click();
    await expect(main.getByRole("heading", { name: "Profile" })).toBeVisible();
    await page.goBack();
    await peak.fill("-4");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox").fill("Metadata fields");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Discard unsaved changes?" }).getByRole("button", { name: "Discard changes" }).click();
    await expect(page).toHaveURL(/\/settings\/metadata$/);
    expect((await loadRules(owner, project.team_id)).true_peak_max).toBe(-5);
  });
});

test("members and guests read the rules and cannot change them", async ({ open }) => {
  const { owner } = organization();
  const { ana, project } = await createPair(organization());
  await setRules(owner, project.team_id, { loudness: { target: -23, tolerance: 0.5 }, sample_rates: [44_100, 48_000] });
  const guest = await joinByInvite(owner, "Gil", "guest", [project.id]);
  for (const person of [ana, guest]) {
    const page = await open(person, "/settings/delivery-rules");
    const main = page.getByRole("main");
    await expect(main.getByText("−23 ± 0.5 LUFS")).toBeVisible();
    await expect(main.getByText("44.1 kHz or 48 kHz")).toBeVisible();
    await expect(main.getByText(/^Last changed/)).toContainText(owner.name);
    await expect(main.getByRole("button")).toHaveCount(0);
    await expect(main.getByRole("textbox")).toHaveCount(0);
    await expectAccessible(page);
    await expectReadable(page);
    await setRules(owner, project.team_id, { loudness: { target: -24, tolerance: 2 } });
    await expect(main.getByText("−24 ± 2 LUFS")).toBeVisible();
    await setRules(owner, project.team_id, { loudness: { target: -23, tolerance: 0.5 }, sample_rates: [44_100, 48_000] });
  }
});

test("a file that is being analyzed is checked again until it is measured, and a file whose analysis failed says why", async ({ open, network }) => {
  const { owner } = organization();
  const { ana, project } = await createPair(organization());
  await setRules(owner, project.team_id, { channels: [2], formats: ["wav"] });
  const id = await createProcessedFile(organization(), ana, project, "nightdrive mix.wav");
  createProcessedVersion(organization(), id);
  const page = await open(ana, "/settings/delivery-rules");
  const requests = network.recordRequests(page, /\/delivery-check\?version=1$/);

  await test.step("while it is analyzed, and then without a reload", async () => {
    const reason = "The file is still being analyzed.";
    const rule = (name: string) => ({ rule: name, expected: "stereo", measured: null, result: "not_measured", reason });
    const data = { object: "delivery_check", file_id: id, version: 1, result: "not_measured", pending: true, checks: [rule("channels"), rule("format")] };
    await page.route("**/delivery-check?version=1", (route) => route.fulfill({ json: { object: "delivery_check", data } }));
    await page.goto(`${ana.url}/files/${id}?v=1`);
    await expect(deliveryPanel(page).getByRole("status")).toHaveText("Checked once the file is analyzed");
    await expect(page.getByRole("button", { name: /checks? (pass|fail)/ })).toHaveCount(0);
    await page.unroute("**/delivery-check?version=1");
    await expect(deliveryPanel(page).getByRole("status")).toHaveText("All 2 checks pass");
    expect(requests.length).toBeGreaterThan(1);
  });

  await test.step("a file that cannot be decoded", async () => {
    const broken = await upload(ana, project, "broken.wav", "no audio at all");
    await waitUntilProcessed(ana, broken);
    await page.goto(`${ana.url}/files/${broken}`);
    await expect(deliveryPanel(page).getByRole("status")).toHaveText(/^2 of 2 not measured\. /);
    await expectAccessible(page);
  });
});
