/** All projects of the studio, so that the project list looks realistic. */
import { CLOSING_STEPS, NIGHTDRIVE_STEPS } from "./nightdrive.ts";
import { NIGHTDRIVE_RELEASE } from "./release.ts";
import { BRIDGE_WALTZ_TIMES, formatTime } from "./song-times.ts";
import { upload, PERSON_NAMES, post, setStatus, type StoryProject } from "./story.ts";

const OPENS = formatTime(BRIDGE_WALTZ_TIMES.bridgeOpens);

/** The demo opens the first project. */
export const PROJECTS: readonly StoryProject[] = [
  {
    name: "Nightdrive EP",
    group: "Albums",
    description: "Three songs, release on 12 March",
    people: PERSON_NAMES,
    unread: 2,
    steps: [...NIGHTDRIVE_STEPS, ...CLOSING_STEPS],
    favorites: ["project", "v3"],
    metadata: NIGHTDRIVE_RELEASE,
  },
  {
    name: "Halden Sessions",
    group: "Albums",
    description: "Live in the old harbor hall",
    people: ["ana", "ben", "leo"],
    unread: 0,
    steps: [
      post(6, "10:00", "ben", "The hall has a 4.2 s tail at 200 Hz. We are not adding reverb to this record."),
      post(6, "10:14", "leo", "I counted in and heard myself count in."),
      post(1, "12:31", "ben", "Transfers are done, 14 songs, two nights."),
      post(1, "12:40", "leo", "Night two has the better drums, night one the better audience."),
    ],
  },
  {
    name: "Aurora, reel 3",
    group: "Film & trailers",
    description: "Picture lock on the 28th",
    people: ["ana", "ben", "mia", "sara"],
    unread: 1,
    steps: [
      post(8, "16:05", "ana", "New picture for the bridge scene. The director says “a waltz, but she does not know yet that she is dancing”."),
      post(8, "16:20", "mia", "I know exactly what he means and have no idea how to play it."),
      upload(4, "15:00", "mia")("still"),
      upload(4, "15:02", "mia")("waltz"),
      post(4, "15:05", "mia", `3m4: D minor, in three, 138. At ${OPENS} the water comes into the picture, and so do the strings.`, {
        key: "waltz",
        files: ["waltz", "still"],
        reactions: "ana 😍",
      }),
      setStatus(4, "15:06", "mia")("waltz", "In review", "To picture."),
      post(0, "08:30", "ben", "Conformed to the new cut, it ends on the frame.", { replyTo: "waltz" }),
    ],
  },
  {
    name: "Podcast masters",
    group: null,
    description: "Every second Thursday",
    people: ["ana", "sara"],
    unread: 0,
    steps: [post(8, "09:00", "sara", "Episode 41 is delivered. The guest breathes a lot. So would I.")],
  },
];
