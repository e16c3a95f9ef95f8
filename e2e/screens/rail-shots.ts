/** Defines the screenshots of the navigation with many projects, and of very wide windows. */
import { rail } from "../fixtures/pages.ts";
import { fixedPath, filesChatPath, fullShot, type Scene, type Shot } from "./shot.ts";

const owner = ({ manyProjects }: Scene) => manyProjects.owner;
const openProject = ({ manyProjects: { openProjectId } }: Scene) => `/projects/${openProjectId}/chat`;

export const RAIL_SHOTS: Shot[] = [
  fullShot("rail", openProject, (page) => page.getByRole("textbox", { name: /^Message / }), { as: owner, state: "fifty", wide: "too" }),
  fullShot(
    "rail",
    fixedPath("/"),
    (page) =>
      rail(page)
        .or(page.getByRole("textbox", { name: /^Message / }))
        .first(),
    { as: owner, state: "home" },
  ),
  fullShot("rail", openProject, (page) => rail(page).getByRole("button", { name: "Radio spots", exact: true }), {
    as: owner,
    state: "collapsed",
    desktopOnly: true,
    act: async (page) => {
      for (const name of ["Albums", "Audiobooks", "Film & trailers", "Games"]) await rail(page).getByRole("button", { name, exact: true }).click();
    },
  }),
  fullShot("rail", openProject, (page) => page.getByRole("menu"), {
    as: owner,
    state: "level",
    desktopOnly: true,
    act: (page) => page.getByRole("button", { name: /^Notifications of / }).click(),
  }),
  fullShot(
    "chat-pane",
    ({ files, ...scene }) => `${filesChatPath(scene as Scene)}?file=${files.sound}`,
    (page) => page.getByRole("region", { name: /^File / }).getByRole("button", { name: /^Status of / }),
    {
      wide: "only",
    },
  ),
];
