/** A course with sequencing, and how a learner and its content go through it. */
export interface SequencingCase {
  /** The name of ADL's case whose structure and expectations this is. */
  readonly id: string;
  /** The case that the same learner goes through before, because global objectives belong to the learner. */
  readonly after: string | null;
  /** The settings of the organization, such as `objectivesGlobalToSystem`. */
  readonly settings: Readonly<Record<string, string>>;
  readonly course: Activity;
  /** The activity that the learner chooses first, in a course that does not start by itself. */
  readonly start: string | null;
  readonly visits: readonly Visit[];
}

/** An activity of a course: a part with content, or a group. */
export interface Activity {
  readonly id: string;
  readonly isGroup: boolean;
  /** Whether its resource is marked as an asset: its content makes no calls. */
  readonly isAsset: boolean;
  /** Not visible in the contents. */
  readonly isHidden: boolean;
  /** Elements of its manifest item. */
  readonly elements: readonly Element[];
  readonly children: Activity[];
}

/** An element of the manifest; without a prefix, its namespace is that of IMS Simple Sequencing. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Element[];
}

/** The delivery of an activity that is expected next, and what happens while it is open. */
export interface Visit {
  readonly activity: string;
  /** What the player shows, such as `not continue` or `choice 3`. */
  readonly shown: readonly string[];
  /** Calls of the content, such as `score.scaled := 0.5`, `@o1.success_status = passed` or `location ! 403`. */
  readonly steps: readonly string[];
  /** The navigation request with which the content ends its session. */
  readonly request: string | null;
  /**
   * What the content requests while it is unloaded, before it ends its session; empty if it only ends its session then.
   * Null if it ends its session at once.
   */
  readonly lastRequest: string | null;
  /** What the learner does afterwards, such as `Continue`, `choice 3` or `relaunch`. */
  readonly acts: readonly string[];
}
