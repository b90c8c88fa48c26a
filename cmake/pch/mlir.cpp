// The object file that owns the precompiled header of this layer.
