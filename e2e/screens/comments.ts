/** Comments as a review has them: at moments and over a range, answered, resolved, on a picture, and shown in the chat. */
import { showComment } from "../../contract/operations/comments.ts";
import { call, join, type Person } from "../fixtures/api.ts";
import { comment, field, resolve, row } from "../fixtures/comments.ts";
import { ana, file, full, main, type FilesInScene, type Shot } from "./shot.ts";

export async function makeComments(owner: Person, projectId: number, { sound, image, film }: Pick<FilesInScene, "sound" | "image" | "film">): Promise<void> {
  const [leo, mia] = await Promise.all([join(owner, "Leo Thorne", "member", [projectId]), join(owner, "Mia Lund", "guest", [projectId])]);
  const bass = await comment(owner, sound, "Bass is hot here, around 60 Hz.", { at: 3.4 });
  await comment(leo, sound, "−2 dB and a slower sidechain in v4, please listen again.", { to: bass });
  const snare = await comment(leo, sound, "Snare tail clashes with the vocal “s”.", { at: 8 });
  await comment(owner, sound, "And the reverb behind it.", { at: 8.1 });
  await comment(mia, sound, "Could the pad open up a little across this line?", { at: 13, end: 17.5 });
  await resolve(owner, await comment(mia, sound, "A click at the edit.", { at: 20.2 }));
  await comment(mia, sound, "Lovely. Print it when the bass is fixed.");
  await comment(mia, image, "The label stands too close to the fold.");
  await comment(leo, film, "Cut one frame earlier.", { at: 1.2 });
  await call(leo, showComment, { params: { comment_id: snare.id } });
}

const moment =
  (path: Shot["path"], t: number): Shot["path"] =>
  (scene) =>
    `${path(scene)}?t=${t}`;

export const COMMENT_SHOTS: Shot[] = [
  full("file-comments", moment(file("sound"), 3.6), (page) => row(page, "Print it when")),
  full(
    "file-comments-all",
    (scene) => `${file("sound")(scene)}?comments=all&t=14`,
    (page) => row(page, "A click at the edit"),
    {
      // The panel stands below the sound on a phone.
      act: (page) => row(page, "A click at the edit").scrollIntoViewIfNeeded(),
    },
  ),
  full("file-comment-writing", moment(file("sound"), 5), (page) => field(page), {
    act: async (page) => {
      await row(page, "Bass is hot").waitFor();
      await page.keyboard.press("m");
      await page.keyboard.type("More of this");
      for (const key of ["Escape", "ArrowRight", "m", "Alt+o"]) await page.keyboard.press(key);
    },
  }),
  {
    view: "file-comments",
    state: "failed",
    as: ana,
    path: file("sound"),
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
      await row(page, "Bass is hot").waitFor();
      await field(page).fill("This one is refused.");
      await field(page).press("Enter");
      await row(page, "This one is refused.").getByRole("button", { name: "Retry" }).scrollIntoViewIfNeeded();
    },
    ready: (page) => main(page),
  },
];
