"""Small tables that were learnt by `knyf_panel.training` and travel with the engine as Python literals."""
