"""The model that tests of sweeps load: a carriage of 2 kg on a motor of 30 N, which holds what is known by hand."""

CARRIAGE = """\
<mujoco>
  <worldbody>
    <body name="carriage" pos="0 0 1">
      <joint name="lift" type="slide" axis="0 0 1" range="-0.5 0.5" damping="20" armature="1"/>
      <geom type="box" size="0.05 0.05 0.05" mass="2"/>
    </body>
  </worldbody>
  <actuator>
    <motor joint="lift" ctrlrange="-30 30"/>
  </actuator>
</mujoco>
"""
