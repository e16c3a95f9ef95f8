import { createProject } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { expect, test } from "../../fixtures/test.ts";
import { dialog, rail } from "../../fixtures/pages.ts";
import { createProcessedFiles, createProcessedVersion } from "../../fixtures/processed-files.ts";
import { loadPlaylistItems, loadTrackNames, moveHandle, shownNames, track, tracks, writePlaylist } from "../../fixtures/playlists.ts";

test("a playlist is created from the rail, filled, put in order by keys and by dragging, and the other person sees each change", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  await createProcessedFiles(organization, ana, project, ["one.wav", "two.wav", "three.wav"]);
  await createProject(ana, "A first by name");
  const page = await open(ana, `/projects/${project.id}/chat`);

  await test.step("from the rail to a new playlist of the project that one was in", async () => {
    await rail(page).getByRole("link", { name: "Playlists" }).click();
    await expect(page.getByRole("heading", { name: "Playlists" })).toBeFocused();
    await page.getByRole("button", { name: "New playlist" }).first().click();
    const create = dialog(page, "New playlist");
    await expect(create.getByRole("button", { name: "Project" })).toContainText(project.name);
    await create.getByRole("textbox", { name: "Name" }).fill("Album order");
    await create.getByRole("textbox", { name: "Gap between tracks" }).fill("11");
    await expectAccessible(page);
    await create.getByRole("button", { name: "Create" }).click();
    await expect(create.getByText("Enter a number from 0 to 10.")).toBeVisible();
    await create.getByRole("textbox", { name: "Gap between tracks" }).fill("2.5");
    await create.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { name: "Album order" })).toBeVisible();
    await expect(page.getByText("No tracks yet")).toBeVisible();
  });
  const id = Number(/\d+$/.exec(page.url())?.[0]);
  const benPage = await open(ben, `/playlists/${id}`);
  await expect(benPage.getByText("No tracks yet")).toBeVisible();

  await test.step("tracks are added", async () => {
    await page.getByRole("button", { name: "Add tracks" }).first().click();
    const add = dialog(page, "Add tracks to Album order");
    for (const name of ["one.wav", "two.wav", "three.wav"]) await add.getByRole("button", { name: `Add ${name}` }).click();
    await expectAccessible(page);
    await add.getByRole("searchbox", { name: "Search audio files" }).fill("thr");
    await expect(add.getByRole("button", { name: "Add one.wav" })).toHaveCount(0);
    await add.getByRole("button", { name: "Done" }).click();
    await expect(page.getByText("3 tracks · 1:05 · 2.5 s gap")).toBeVisible();
    await expect.poll(() => shownNames(benPage, "Album order")).toEqual(["one.wav", "two.wav", "three.wav"]);
    await expect(benPage.getByText("3 tracks · 1:05 · 2.5 s gap")).toBeVisible();
  });

  await test.step("arrow keys on a handle move a track, which keeps the focus", async () => {
    await moveHandle(page, "three.wav").focus();
    await page.keyboard.press("Home");
    await expect.poll(() => shownNames(page, "Album order")).toEqual(["three.wav", "one.wav", "two.wav"]);
    await expect(moveHandle(page, "three.wav")).toBeFocused();
    await page.keyboard.press("ArrowDown");
    const order = ["one.wav", "three.wav", "two.wav"];
    await expect.poll(() => loadTrackNames(ana, id)).toEqual(order);
    await expect.poll(() => shownNames(benPage, "Album order")).toEqual(order);
    await expectAccessible(page);
  });

  await test.step("a handle is dragged", async () => {
    const handle = (await moveHandle(page, "two.wav").boundingBox())!;
    const target = (await track(page, "one.wav").boundingBox())!;
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(handle.x + handle.width / 2, target.y + target.height / 2, { steps: 8 });
    await page.mouse.up();
    const order = ["two.wav", "one.wav", "three.wav"];
    await expect.poll(() => shownNames(page, "Album order")).toEqual(order);
    await expect.poll(() => loadTrackNames(ana, id)).toEqual(order);
    await expect.poll(() => shownNames(benPage, "Album order")).toEqual(order);
  });
});

test("tracks are pinned and removed, and a playlist is renamed, duplicated and deleted; removals and deletions are undone", async ({
  organization,
  pair: { ana, ben, project },
  open,
}) => {
  const [first = 0, second = 0] = await createProcessedFiles(organization, ana, project, ["one.wav", "two.wav"]);
  createProcessedVersion(organization, first);
  const { id } = await writePlaylist(ana, project, "Side A", [first, second]);
  const page = await open(ana, `/projects/${project.id}/playlists`);
  const openTrackMenu = (name: string) => page.getByRole("button", { name: `More actions for ${name}` }).click();
  const choose = (name: string) => page.getByRole("menuitem", { name }).click();

  await test.step("a track stays at a version, or plays the newest", async () => {
    await page.getByRole("main").getByRole("link", { name: "Side A" }).click();
    await openTrackMenu("one.wav");
    await choose("Always play version 2");
    await expect(track(page, "one.wav")).toContainText("Pinned to version 2");
    expect((await loadPlaylistItems(ana, id))[0]).toMatchObject({ pinned_version: 2 });
    await openTrackMenu("one.wav");
    await choose("Always play the newest version");
    await expect(track(page, "one.wav")).not.toContainText("Pinned");
  });

  await test.step("a removed track comes back to its place", async () => {
    await openTrackMenu("one.wav");
    await choose("Remove from playlist");
    await expect(tracks(page, "Side A")).toHaveCount(1);
    await expect.poll(() => loadTrackNames(ana, id)).toEqual(["two.wav"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => shownNames(page, "Side A")).toEqual(["one.wav", "two.wav"]);

    // Two neighbors, of which the first was before the second.
    await openTrackMenu("one.wav");
    await choose("Remove from playlist");
    await expect(tracks(page, "Side A")).toHaveCount(1);
    await openTrackMenu("two.wav");
    await choose("Remove from playlist");
    await expect(page.getByText("No tracks yet")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.getByRole("button", { name: "Undo" }).first().click();
    await expect.poll(async () => (await loadTrackNames(ana, id)).toSorted()).toEqual(["one.wav", "two.wav"]);
  });

  await test.step("renamed and duplicated", async () => {
    await page.getByRole("button", { name: "More actions for Side A" }).click();
    await choose("Edit…");
    await dialog(page, "Edit playlist").getByRole("textbox", { name: "Name" }).fill("Side B");
    await dialog(page, "Edit playlist").getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { name: "Side B" })).toBeVisible();
    await page.getByRole("button", { name: "More actions for Side B" }).click();
    await choose("Duplicate");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Copy of Side B" })).toBeVisible();
    await expect.poll(() => shownNames(page, "Copy of Side B")).toEqual(["one.wav", "two.wav"]);
  });

  await test.step("deleted for everyone, and restored", async () => {
    await page.goto(`${ana.url}/playlists/${id}`);
    const benPage = await open(ben, `/playlists/${id}`);
    await expect(benPage.getByRole("heading", { name: "Side B" })).toBeVisible();
    await page.getByRole("button", { name: "More actions for Side B" }).click();
    await choose("Delete");
    await expect(page.getByRole("main").getByRole("link", { name: "Copy of Side B" })).toBeVisible();
    await expect(page.getByRole("main").getByRole("link", { name: "Side B", exact: true })).toHaveCount(0);
    await expect(benPage.getByText("This playlist doesn't exist")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("main").getByRole("link", { name: "Side B", exact: true })).toBeVisible();
    await expect(benPage.getByRole("heading", { name: "Side B" })).toBeVisible();
  });
});
