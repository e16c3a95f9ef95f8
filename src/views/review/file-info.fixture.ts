import type { FileInfoResponse } from "../../../contract/records.ts";

/** Contains only the documented fields. */
export const documentedInfo: FileInfoResponse = {
  ai_tags: { bpm: 0, genres: [], instruments: [], moods: [], key: [] },
  common: {
    id: 7,
    name: "mix.wav",
    size: 39_200_000,
    url: "https://service.test/mix.wav",
    compressed_file_url: null,
    account_id: 1,
    project_id: 3,
    file_team_id: 1,
    is_blind_drop: false,
    is_shared: false,
    status: null,
    transcoding_status: "transcoded",
  },
  file_info: {
    object: "audio_file_info",
    annotations: "",
    audio_encoding: "pcm_s24le",
    bitrate: "2116800",
    bits_per_sample: 24,
    bpm: 0,
    duration: 222.1,
    key: null,
    number_of_chanels: 2,
    number_of_samples: 9_794_610,
    samplerate: 44_100,
    wave: [0, 0.5, 1],
  },
};

/** Adds this product's extension fields. */
export const extendedInfo: FileInfoResponse = {
  ai_tags: { ...documentedInfo.ai_tags, bpm: 128, key: ["A minor", "C major"], bpm_confidence: 0.9, key_confidence: 0.7, model: { state: "no-model" } },
  common: { ...documentedInfo.common, compressed_file_url: "https://service.test/mix.m4a", version: 4, failure: null, media_type: "audio/wav" },
  file_info: {
    ...documentedInfo.file_info,
    object: "audio_file_info",
    loudness: { integrated: -14.2, range: null, truePeak: -1 },
  } as FileInfoResponse["file_info"],
};
