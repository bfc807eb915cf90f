// The reader's machine as a new file of the book, which its gallery shows: what /machine/ has measured and links to.
import { json_of, ProfileStore } from "../profile/profile.js";

const is_profile = (file) => /^figures\/profiles\/[a-z][a-z0-9-]*\.json$/.test(file);

/** Keeps the reader's profile as a draft of `file`, when that can be one and is none yet. */
export async function begin_profile(drafts, file) {
  const { profile } = new ProfileStore().load_own();
  if (!profile || !is_profile(file) || (await drafts.load(file))) return;
  await drafts.keep(file, json_of(profile));
}
