import { readFile } from "node:fs/promises";
import type { Locator } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { upload } from "../../fixtures/files.ts";
import { entry, filesPath } from "../../fixtures/files-view.ts";
import { createPair, createReleaseTemplate, fieldOf, loadMetadata, metadataPanel, setMetadata } from "../../fixtures/metadata.ts";
import { expect, test } from "../../fixtures/network.ts";
import { shareOrganization } from "../../fixtures/organization.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { createProcessedFile } from "../../fixtures/processed-files.ts";

const organization = shareOrganization();

test("metadata is exported as CSV, imported after a look at what changes, and written into a download on demand", async ({ open, pageErrors }) => {
  const { ana, project } = await createPair(organization());
  const template = await createReleaseTemplate(organization().owner, project.team_id);
  const idOf = (name: string) => fieldOf(template, name).id;
  const song = await createProcessedFile(organization(), ana, project, "nightdrive_mix.wav");
  await createProcessedFile(organization(), ana, project, "plain.wav");
  const notes = await upload(ana, project, "notes.txt", "warm");
  await setMetadata(ana, song, { [idOf("Artist")]: "Lina", [idOf("ISRC")]: "GB-ABC-26-00002" });
  const page = await open(ana, filesPath(project));
  await expect(entry(page, "nightdrive_mix.wav")).toContainText("Lina");
  const openMenu = () => page.getByRole("button", { name: "More", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Import metadata" });
  const choose = (csv: string) =>
    dialog.getByLabel("Choose CSV file", { exact: true }).setInputFiles({ name: "release.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });

  const csv = await test.step("the export has every file and field", async () => {
    await openMenu();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Export metadata (CSV)" }).click()]);
    const text = (await readFile(await download.path())).toString();
    expect(text).toContain("ISRC");
    expect(text).toContain("GB-ABC-26-00002");
    expect(text).toContain("notes.txt");
    return text;
  });

  await test.step("a table with a problem changes nothing and says where it is", async () => {
    await openMenu();
    await page.getByRole("menuitem", { name: "Import metadata (CSV)…" }).click();
    await expect(dialog.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
    await choose(csv.replace("GB-ABC-26-00002", "GB-ABC").replace("Lina", "Lina & Co"));
    await expect(dialog.getByRole("status")).toContainText("1 problem. Nothing was changed.");
    await expect(dialog.getByRole("status")).toContainText("ISRC");
    await expect(dialog.getByRole("button", { name: "Import", exact: true })).toBeDisabled();
    await expectAccessible(page);
    expect((await loadMetadata(ana, song))[idOf("Artist")]).toBe("Lina");
  });

  await test.step("the corrected table says what changes, and changes it", async () => {
    const header = `Path,Artist,Mood\r\n`;
    await choose(`${header}nightdrive_mix.wav,Lina & Co,calm\r\nnotes.txt,Mia,loud\r\n`);
    await expect(dialog.getByRole("status")).toContainText("2 values will change in 2 files.");
    const changes = dialog.getByRole("region", { name: "Changes" });
    await expect(changes.getByRole("listitem").filter({ hasText: "nightdrive_mix.wav" })).toContainText("Line 2Artist:LinaLina & Co");
    await expect(changes.getByRole("listitem").filter({ hasText: "notes.txt" })).toContainText("Line 3Artist:No valueMia");
    await expect(changes.getByRole("deletion")).toHaveText(["Lina", "No value"]);
    await expect(changes.getByText(/more/)).toHaveCount(0);
    await expectAccessible(page);
    await expect(dialog.getByRole("status")).toContainText("Not a field of this team, and ignored: Mood.");
    expect((await loadMetadata(ana, notes))[idOf("Artist")]).toBeUndefined();
    // Somebody else is faster: nothing is replaced before it has been seen.
    pageErrors.allow(statusError(409));
    await setMetadata(ana, notes, { [idOf("Artist")]: "Theirs" });
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await expect(dialog.getByText("Someone has changed the metadata of these files since. Nothing was imported.")).toBeVisible();
    await expect(changes.getByRole("deletion")).toHaveText(["Lina", "Theirs"]);
    expect((await loadMetadata(ana, notes))[idOf("Artist")]).toBe("Theirs");
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await expect(page.getByText("Metadata imported for 2 files.")).toBeVisible();
    await expect(entry(page, "notes.txt")).toContainText("Mia");
    expect((await loadMetadata(ana, song))[idOf("ISRC")]).toBe("GB-ABC-26-00002");
  });

  await test.step("of many changes the first are listed and the rest counted, below the problems", async () => {
    const names = Array.from({ length: 18 }, (_, index) => `take ${index}.txt`);
    for (const name of names) await upload(ana, project, name, name);
    await openMenu();
    await page.getByRole("menuitem", { name: "Import metadata (CSV)…" }).click();
    await choose(`Path,Artist,Edit,Take\r\n${names.map((name) => `${name},Lina,Radio,2`).join("\r\n")}\r\nnothing.txt,,,\r\n`);
    await expect(dialog.getByRole("status")).toContainText("1 problem. Nothing was changed.Line 20, Path");
    await expect(dialog.getByRole("status")).toContainText("Otherwise, 54 values would change in 18 files.");
    const changes = dialog.getByRole("region", { name: "Changes" });
    await expect(changes.getByRole("insertion")).toHaveCount(50);
    await expect(changes.getByRole("insertion").nth(1)).toHaveText("2");
    await expect(changes.getByText("Radio").first()).toBeVisible();
    await expect(changes.getByText("And 4 more.")).toBeVisible();
    await page.keyboard.press("Escape");
  });

  await test.step("a download with metadata carries it, and the stored file does not", async () => {
    await page.goto(`${ana.url}/files/${song}`);
    const [tagged] = await Promise.all([page.waitForEvent("download"), metadataPanel(page).getByRole("button", { name: "Download with metadata" }).click()]);
    expect(tagged.suggestedFilename()).toBe("nightdrive_mix.wav");
    // The chunk IART of RIFF INFO is the artist.
    expect((await readFile(await tagged.path())).toString("latin1")).toMatch(/IART.{4}Lina & Co\0/s);
    const [plain] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download", exact: true }).click()]);
    expect((await readFile(await plain.path())).includes("Lina")).toBe(false);
  });

  /** Clicks between the name and the status. */
  const clickRow = (name: string, options: Parameters<Locator["click"]>[0] = {}) => entry(page, name).click({ position: { x: 250, y: 20 }, ...options });
  await test.step("a zip with metadata has it in the audio, and names the file that cannot have it", async () => {
    await page.goto(`${ana.url}${filesPath(project)}`);
    await clickRow("nightdrive_mix.wav");
    await clickRow("notes.txt", { modifiers: ["Control"] });
    await clickRow("notes.txt", { button: "right" });
    const [zip] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Download as ZIP with metadata" }).click()]);
    expect(zip.suggestedFilename()).toMatch(/\.zip$/);
    const bytes = (await readFile(await zip.path())).toString("latin1");
    expect(bytes).toMatch(/IART.{4}Lina & Co\0/s);
    expect(bytes).toMatch(/Files without metadata\.txt.*notes\.txt/s);
  });

  await test.step("one file is downloaded with its metadata from the files view too, and one without any says why not", async () => {
    const downloadTagged = async (name: string) => {
      await clickRow(name);
      await clickRow(name, { button: "right" });
      await page.getByRole("menuitem", { name: "Download with metadata" }).click();
    };
    const [tagged] = await Promise.all([page.waitForEvent("download"), downloadTagged("nightdrive_mix.wav")]);
    expect((await readFile(await tagged.path())).toString("latin1")).toMatch(/IART.{4}Lina & Co\0/s);
    pageErrors.allow(statusError(409));
    await downloadTagged("plain.wav");
    await expect(page.getByText("Couldn't download plain.wav with its metadata. This file has no metadata to write.")).toBeVisible();
  });
});
