/** Creates typical review comments: at positions and ranges, replied to, resolved, on an image, and shared to the chat. */
import { showComment, writeComment } from "../../contract/operations/comments.ts";
import { call, joinByInvite, type Person } from "../fixtures/api.ts";
import { createComment, commentField, resolveComment, commentRow } from "../fixtures/comments.ts";
import { ana, filePath, fullShot, main, type SceneFiles, type Shot } from "./shot.ts";

export async function createSampleComments(
  owner: Person,
  projectId: number,
  { sound, single, image, video, document }: Pick<SceneFiles, "sound" | "single" | "image" | "video" | "document">,
): Promise<void> {
  const [leo, mia] = await Promise.all([joinByInvite(owner, "Leo Thorne", "member", [projectId]), joinByInvite(owner, "Mia Lund", "guest", [projectId])]);
  const bass = await createComment(owner, sound, "Bass is hot here, around 60 Hz.", { startSeconds: 3.4 });
  await createComment(leo, sound, "−2 dB and a slower sidechain in v4, please listen again.", { parent: bass });
  const snare = await createComment(leo, sound, "Snare tail clashes with the vocal “s”.", { startSeconds: 8 });
  await createComment(owner, sound, "And the reverb behind it.", { startSeconds: 8.1 });
  await createComment(mia, sound, "Could the pad open up a little across this line?", { startSeconds: 13, endSeconds: 17.5 });
  const click = await createComment(mia, sound, "A click at the edit.", { startSeconds: 20.2 });
  await resolveComment(owner, click);
  await createComment(leo, sound, "It is back in this bounce.", { parent: click });
  const extras = {
    body: `<@${owner.id}> like on the single, and the sleeve notes say the same 👀`,
    position_ms: 5_200,
    attachment_ids: [single, image, document],
  };
  await call(leo, writeComment, { params: { file_id: sound }, body: extras });
  await createComment(mia, sound, "Lovely. Print it when the bass is fixed.");
  await createComment(mia, image, "The label stands too close to the fold.");
  await createComment(leo, video, "Cut one frame earlier.", { startSeconds: 1.2 });
  await call(leo, showComment, { params: { comment_id: snare.id } });
}

const atTime =
  (path: Shot["path"], t: number): Shot["path"] =>
  (scene) =>
    `${path(scene)}?t=${t}`;

export const COMMENT_SHOTS: Shot[] = [
  fullShot("file-comments", atTime(filePath("sound"), 3.6), (page) => commentRow(page, "Print it when")),
  fullShot(
    "file-comments-all",
    (scene) => `${filePath("sound")(scene)}?comments=all&t=14`,
    (page) => commentRow(page, "A click at the edit"),
    {
      // The panel is below the player on a phone.
      act: (page) => commentRow(page, "A click at the edit").scrollIntoViewIfNeeded(),
    },
  ),
  fullShot("file-comment-writing", atTime(filePath("sound"), 5), (page) => commentField(page), {
    act: async (page) => {
      await commentRow(page, "Bass is hot").waitFor();
      await page.keyboard.press("m");
      await page.keyboard.type("More of this");
      for (const key of ["Escape", "ArrowRight", "m", "Alt+o"]) await page.keyboard.press(key);
    },
  }),
  fullShot("file-comment-files", atTime(filePath("sound"), 5.3), (page) => commentRow(page, "like on the single"), {
    act: (page) => commentRow(page, "like on the single").scrollIntoViewIfNeeded(),
  }),
  fullShot("file-comment-mention", atTime(filePath("sound"), 5), (page) => page.getByRole("listbox", { name: "People" }), {
    act: async (page) => {
      await commentRow(page, "Bass is hot").waitFor();
      await commentField(page).fill("Agreed, ");
      await page.keyboard.type("@");
    },
  }),
  fullShot("file-path", filePath("single"), (page) => page.getByRole("navigation", { name: "Path" })),
  {
    view: "file-comments",
    state: "waiting",
    as: ana,
    path: filePath("sound"),
    act: async (page) => {
      await commentRow(page, "Bass is hot").waitFor();
      await page.context().setOffline(true);
      await commentField(page).fill("On the train, no signal.");
      await commentField(page).press("Enter");
      await commentRow(page, "On the train").waitFor();
    },
    ready: (page) => page.getByRole("region", { name: "Connection" }).getByText("1 comment will send when you're back online."),
  },
  {
    view: "file-comments",
    state: "failed",
    as: ana,
    path: filePath("sound"),
    before: (page) =>
      page.route("**/api/v2/files/*/comments", (route) =>
        route.request().method() === "POST"
          ? route.fulfill({
              status: 403,
              contentType: "application/problem+json",
              json: { object: "error", status: 403, title: "Not allowed", detail: "You are not in this project any more" },
            })
          : route.fallback(),
      ),
    act: async (page) => {
      await commentRow(page, "Bass is hot").waitFor();
      await commentField(page).fill("This one is refused.");
      await commentField(page).press("Enter");
      await commentRow(page, "This one is refused.").getByRole("button", { name: "Retry" }).scrollIntoViewIfNeeded();
    },
    ready: (page) => main(page),
  },
];
