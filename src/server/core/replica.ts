/** Whether lists are read from the replica. */
export interface ReplicaState {
  readonly isUsed: boolean;
  /** For how long it has lacked something of the primary, in seconds. */
  readonly lagSeconds: number;
  /** How many reads it has failed, which the primary then answered. */
  readonly failedReads: number;
}

/** A copy of the database that follows it, for reads that may be a moment behind. */
export interface Replica<Db> {
  /** Starts to watch it. Until then the primary is read. Resolves when it was asked once. */
  open(): Promise<void>;
  /**
   * The database for one read after another, without transactions: the replica while it is well and has what the caller
   * has written, else the primary. The primary also answers what the replica fails to answer.
   * @param written the position after the caller's last write
   */
  readsFor(written: number | null): Db;
  /** The end of the primary's log: a replica that has come as far has everything written until now. */
  position(): Promise<number>;
  /** Resolves when the replica has everything written until now, is left out, or has been waited for long enough. */
  caughtUp(): Promise<void>;
  state(): ReplicaState;
  close(): Promise<void>;
}
