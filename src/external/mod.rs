//! Programs as players: processes, dialects, deadlines and containment.
